/// What a farm of the broker serves.
package enum FarmService: String, CaseIterable, Sendable {
    /// Market data.
    case data
    /// History.
    case history
    /// Contracts.
    case contracts

    /// The usual name of such a farm.
    var farm: String {
        switch self {
        case .data: "usfarm"
        case .history: "ushmds"
        case .contracts: "secdefil"
        }
    }
}

/// How a farm is.
package enum GatewayFarmState: String, CaseIterable, Sendable {
    /// It cannot be reached.
    case broken
    /// It is being connected.
    case connecting
    /// It sleeps until it is needed.
    case idle
    /// It is well.
    case ok

    /// The notice that a gateway sends.
    ///
    /// - Returns: a farm of contracts has no code for connecting; it is reported as broken.
    func notice(of service: FarmService, named farm: String) -> (code: Int32, text: String) {
        switch (service, self) {
        case (.data, .broken): (2103, "Market data farm connection is broken:\(farm)")
        case (.data, .ok): (2104, "Market data farm connection is OK:\(farm)")
        case (.data, .connecting): (2119, "Market data farm is connecting:\(farm)")
        case (.data, .idle):
            (
                2108,
                "Market data farm connection is inactive but should be available upon demand.\(farm)"
            )
        case (.history, .broken), (.history, .connecting):
            (2105, "HMDS data farm connection is broken:\(farm)")
        case (.history, .ok): (2106, "HMDS data farm connection is OK:\(farm)")
        case (.history, .idle):
            (
                2107,
                "HMDS data farm connection is inactive but should be available upon demand.\(farm)"
            )
        case (.contracts, .broken), (.contracts, .connecting):
            (2157, "Sec-def data farm connection is broken:\(farm)")
        case (.contracts, .ok), (.contracts, .idle):
            (2158, "Sec-def data farm connection is OK:\(farm)")
        }
    }

    /// Whether its service stops.
    var isDown: Bool { self == .broken || self == .connecting }
}
