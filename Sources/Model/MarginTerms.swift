package import Primitives

/// What part of a position's value an account must have of its own.
///
/// Left out: the amounts a share that FINRA asks for shorts of low prices, concentration and house
/// requirements.
package struct MarginTerms: Hashable, Sendable {
    /// To open a position, long or short.
    package let initial: Percent
    /// To keep a long position.
    package let maintenanceLong: Percent
    /// To keep a short position.
    package let maintenanceShort: Percent

    /// 50 % to open (Federal Reserve Regulation T, 12 CFR 220.12), 25 % to keep a long and 30 % to keep a
    /// short position (FINRA rule 4210).
    package static let unitedStates = MarginTerms(
        checked: Percent(50), maintenanceLong: Percent(25), maintenanceShort: Percent(30))

    /// Terms of an account; `nil` unless each is from 0 to 1,000 percent.
    package init?(initial: Percent, maintenanceLong: Percent, maintenanceShort: Percent) {
        let range = Percent.zero.units...Percent(1_000).units
        guard
            [initial, maintenanceLong, maintenanceShort].allSatisfy({ range.contains($0.units) })
        else { return nil }
        self.init(
            checked: initial, maintenanceLong: maintenanceLong, maintenanceShort: maintenanceShort)
    }

    private init(checked initial: Percent, maintenanceLong: Percent, maintenanceShort: Percent) {
        self.initial = initial
        self.maintenanceLong = maintenanceLong
        self.maintenanceShort = maintenanceShort
    }
}
