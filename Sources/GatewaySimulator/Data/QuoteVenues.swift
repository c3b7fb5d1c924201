import Primitives
import TWSProtocol

/// The exchanges behind a contract's quotes.
struct QuoteVenues: Hashable, Sendable {
    /// The code by which clients ask for them; empty where there is one exchange only.
    let code: String
    /// Their names, in the order of their letters.
    let names: [String]
    private let letters: [String]
    private let only: String

    /// The exchanges of a contract.
    init(of listed: ListedContract, in contracts: GatewayContractDatabase) {
        code = contracts.bboExchange(of: listed)
        let quoting = (GatewayContractDatabase.smartComponents(of: code) ?? []).filter {
            listed.exchanges.contains($0.exchange)
        }
        names = quoting.map(\.exchange)
        letters = quoting.map(\.exchangeLetter)
        only = listed.exchanges.first ?? listed.contract.exchange
    }

    /// The letter of the exchange that has a price, which follows from the price; empty where there is
    /// one exchange only, and without a price.
    func letter(at price: Price?) -> String {
        guard let price, let index = index(at: price) else { return "" }
        return letters[index]
    }

    /// The name of the exchange that has a price.
    func name(at price: Price) -> String {
        index(at: price).map { names[$0] } ?? only
    }

    private func index(at price: Price) -> Int? {
        guard !names.isEmpty else { return nil }
        var generator = SeededGenerator(seed: UInt64(bitPattern: price.units))
        return Int(generator.next() % UInt64(names.count))
    }
}
