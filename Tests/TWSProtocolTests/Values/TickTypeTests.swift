import TWSProtocol
import Testing

@Suite struct TickTypeTests {
    @Test func everyNumberOfTheReferenceHasANameOfItsOwn() {
        #expect(TickType.known.map(\.code) == Array(0...110))
        #expect(Set(TickType.known.compactMap(\.name)).count == 111)
        #expect(TickType.known.allSatisfy { $0.carrier != nil })
    }

    /// The reference's letters, ten numbers a line from 0 on.
    @Test func carriersAreThoseOfTheReference() {
        let letters = """
            SPPSPSPPSP OOOOPPPPPP PSSGGTTSSS SGTTSPSPEE EEEEETG-TG \
            PPPOGGGPGT GSTSSSPPPS SSPPSPPTPP OOOOTTSSTS GTPPPPPPPP \
            GGGPPPPSST T
            """.filter { $0 != " " }
        let found = TickType.known.compactMap { $0.carrier.map(letter) }
        #expect(String(found) == letters)
    }

    private func letter(_ carrier: TickType.Carrier) -> Character {
        switch carrier {
        case .price: "P"
        case .size: "S"
        case .text: "T"
        case .number: "G"
        case .option: "O"
        case .exchangeForPhysical: "E"
        case .nothing: "-"
        }
    }

    /// Spread over the table, so that no row can be missing or double.
    @Test(
        arguments: [
            (.bidSize, 0, "bidSize"), (.close, 9, "close"), (.modelOption, 13, "modelOption"),
            (.openInterest, 22, "openInterest"), (.auctionImbalance, 36, "auctionImbalance"),
            (.closeEFPComputation, 44, "closeEFPComputation"), (.shortable, 46, "shortable"),
            (.realTimeVolume, 48, "realTimeVolume"), (.ibDividends, 59, "ibDividends"),
            (.delayedBid, 66, "delayedBid"), (.delayedLastSize, 71, "delayedLastSize"),
            (.lastExchange, 84, "lastExchange"), (.delayedHalted, 90, "delayedHalted"),
            (.finalIPOLast, 102, "finalIPOLast"), (.oddLotAskExchange, 110, "oddLotAskExchange"),
        ] as [(TickType, Int32, String)])
    func constantsHaveTheirNumbersAndNames(tick: TickType, code: Int32, name: String) {
        #expect(tick.code == code)
        #expect(tick.name == name)
    }

    @Test func pricesKnowTheSizeThatTravelsWithThem() {
        let pairs: [(Int32, Int32)] = [(1, 0), (2, 3), (4, 5), (66, 69), (67, 70), (68, 71)]
        for tick in TickType.known {
            let size = pairs.first { $0.0 == tick.code }?.1
            #expect(tick.size?.code == size, "\(tick)")
        }
    }

    @Test(arguments: [-1, 111, 999] as [Int32])
    func unknownNumbersAreKept(code: Int32) throws {
        let tick = TickType(code: code)
        #expect(tick.name == nil)
        #expect(tick.carrier == nil)
        #expect("\(tick)" == "\(code)")
        let message = try read(WireTickSize.self, "6|1|\(code)|5", at: 178)
        #expect(message.tickType == tick)
        #expect(try layout(message, at: 178, from: .gateway) == "6|1|\(code)|5")
    }
}
