import Model
import Primitives
import Testing

@Suite struct BrokerWordsTests {
    // MARK: Sizes

    /// An event has 128 bytes: time and tag leave 112 for what it carries.
    @Test func payloadsFitIntoAnEvent() {
        #expect(MemoryLayout<BrokerReport>.size <= 112)
        #expect(MemoryLayout<ListingRecord>.size <= 112)
        #expect(MemoryLayout<LinkReport>.size <= 16)
        #expect(MemoryLayout<OrderReport>.size <= 112)
        #expect(MemoryLayout<BrokerOrderKey>.size == 32)
        #expect(MemoryLayout<Event>.stride <= 128)
    }

    @Test func payloadsAreCopiedByTheirBits() {
        func isPlain(_: (some BitwiseCopyable).Type) -> Bool { true }
        #expect(isPlain(BrokerReport.self) && isPlain(ListingRecord.self))
        #expect(isPlain(LinkReport.self) && isPlain(OrderFact.self) && isPlain(Command.self))
    }

    // MARK: Keys

    @Test func keyKeepsWhatIsAbsentAbsent() {
        let nothing = BrokerOrderKey()
        #expect(nothing.account == nil && nothing.client == nil && nothing.order == nil)
        #expect(nothing.permanent == nil && nothing.reference == nil)
        let all = BrokerOrderKey(
            account: BrokerAccountID(index: 0), client: BrokerClientID(number: 0),
            order: BrokerOrderID(number: -3), permanent: PermanentID(number: .max),
            reference: OrderReference(journal: 1, order: OrderID(number: 9)))
        #expect(all.account == BrokerAccountID(index: 0))
        #expect(all.client == BrokerClientID(number: 0))
        #expect(all.order == BrokerOrderID(number: -3))
        #expect(all.permanent == PermanentID(number: .max))
        #expect(all.reference?.description == "mt:1:9")
    }

    @Test func linkReportKeepsWhatIsAbsentAbsent() {
        let epoch = ConnectionEpoch(number: 3)
        let plain = LinkReport(.ready, epoch: epoch)
        #expect(plain.farm == nil && plain.nextID == nil)
        let full = LinkReport(
            .dataDegraded, epoch: epoch, farm: NameID(index: 4), nextID: BrokerOrderID(number: 8))
        #expect(full.farm == NameID(index: 4))
        #expect(full.nextID == BrokerOrderID(number: 8))
    }

    // MARK: References

    /// Property: what is printed is read back as it was.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func referencesAreReadAsTheyWerePrinted(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            let journal = Int32.random(
                in: 1...(.max >> Int32.random(in: 0..<31, using: &generator)), using: &generator)
            let number = Int64.random(
                in: 1...(.max >> Int64.random(in: 0..<63, using: &generator)), using: &generator)
            let reference = try #require(
                OrderReference(journal: journal, order: OrderID(number: number)))
            let text = reference.description
            #expect(OrderReference(parsing: text) == reference)
            #expect(text.utf8.count <= 33 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
    }

    /// Property: whatever is read prints as it was written, so no two texts name one order.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func onlyWhatWouldBePrintedIsRead(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let letters = Array("mt::0123459 +-M")
        for _ in 0..<400 {
            var text =
                "mt:\(Int.random(in: 0...20, using: &generator)):\(Int.random(in: 0...20, using: &generator))"
            if Bool.random(using: &generator), let letter = letters.randomElement(using: &generator)
            {
                let index = Int.random(in: 0...text.count, using: &generator)
                text.insert(letter, at: text.index(text.startIndex, offsetBy: index))
            }
            guard let reference = OrderReference(parsing: text) else { continue }
            #expect(reference.description == text)
        }
    }

    @Test(arguments: [
        "", "mt", "mt:", "mt:1", "mt:1:", "mt::1", "mt:0:1", "mt:1:0", "mt:01:1", "mt:1:01",
        "mt:1:1 ", " mt:1:1", "MT:1:1", "mt:+1:1", "mt:-1:1", "mt:1:1:1", "mt:2147483648:1",
        "mt:1:9223372036854775808", "mt:1:99999999999999999999", "mt:1:1\n", "mt:1:\u{0661}",
    ])
    func otherTextsAreNoReference(text: String) {
        #expect(OrderReference(parsing: text) == nil)
    }

    @Test func referencesNeedPositiveNumbers() {
        #expect(OrderReference(journal: 0, order: OrderID(number: 1)) == nil)
        #expect(OrderReference(journal: -1, order: OrderID(number: 1)) == nil)
        #expect(OrderReference(journal: 1, order: OrderID(number: 0)) == nil)
    }

    // MARK: Closures

    @Test func closureNeedsItsProof() {
        let first = Timestamp(seconds: 100)
        func closure(_ number: UInt8, after seconds: Int64) -> OrderClosure {
            OrderClosure(
                number: number, .notFound(first: first, second: first + .seconds(seconds)))
        }
        #expect(closure(1, after: 2).isProven)
        #expect(!closure(1, after: 1).isProven)
        #expect(!closure(1, after: -5).isProven)
        #expect(!closure(2, after: 2).isProven)
        #expect(OrderClosure(number: 3, .operatorDecision).isProven)
    }
}
