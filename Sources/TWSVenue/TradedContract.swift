package import Primitives
package import TWSProtocol

/// An instrument of the run and the contract that the gateway knows it by.
package struct TradedContract: Hashable, Sendable {
    /// The run's instrument.
    package let instrument: InstrumentID
    /// The contract, with the broker's number and the exchange that orders go to.
    package let contract: Contract

    /// An instrument under its contract.
    package init(_ instrument: InstrumentID, _ contract: Contract) {
        self.instrument = instrument
        self.contract = contract
    }
}

/// The contracts of a run, found by the broker's number.
struct ContractIndex: Sendable {
    private let byInstrument: [Contract?]
    private let byNumber: [ContractID: InstrumentID]

    init(_ contracts: [TradedContract]) {
        let count = contracts.map { Int($0.instrument.index) + 1 }.max() ?? 0
        var byInstrument = [Contract?](repeating: nil, count: count)
        var byNumber: [ContractID: InstrumentID] = [:]
        for entry in contracts {
            byInstrument[Int(entry.instrument.index)] = entry.contract
            byNumber[entry.contract.conId] = entry.instrument
        }
        self.byInstrument = byInstrument
        self.byNumber = byNumber
    }

    /// The instrument of a contract; `nil` if the run does not have it. A combination is none, whatever number it has: its
    /// legs are reported by themselves.
    func instrument(of contract: Contract) -> InstrumentID? {
        contract.secType == .combo ? nil : byNumber[contract.conId]
    }

    /// The contract of an instrument; `nil` for one that was not qualified.
    func contract(of instrument: InstrumentID) -> Contract? {
        let index = Int(instrument.index)
        return index < byInstrument.count ? byInstrument[index] : nil
    }
}
