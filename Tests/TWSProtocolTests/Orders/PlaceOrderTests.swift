import TWSProtocol
import Testing

@Suite struct PlaceOrderTests {
    /// 100 shares, everything else at IBKR's defaults.
    static var plain: PlaceOrder {
        var order = Order()
        order.action = .buy
        order.totalQuantity = 100
        order.orderType = .limit
        order.lmtPrice = 187.25
        order.tif = .day
        order.account = "DU1234567"
        order.orderRef = "mine"
        return PlaceOrder(7, .stock("AAPL"), order)
    }

    /// The fields up to `hidden`, equal at all versions.
    private static let head =
        "7|0|AAPL|STK|||||SMART||USD|||||BUY|100|LMT|187.25||DAY||DU1234567||0|mine|1|0|0|0|0|0|0|0"

    @Test func hasTheFieldsOfTheReferenceAtTheOldestVersion() throws {
        let text = try layout(Self.plain, at: 157, from: .client)
        let parts = [
            Self.head, "||0|||||||",
            // Slot, place, exemption, OCA type, rule 80A, firm, all or none, minimum, offset.
            "|0||-1|0|||0||",
            // Three that are no longer looked at, auction, constraints.
            "|0|0||0||||||0",
            // Volatility and its hedge, update, reference; trailing; scale; schedule; hedge.
            "|||||0||||||||||",
            // Routing, clearing, delta-neutral contract, algorithm.
            "|0|||0|0||",
            // Algorithm's name, what-if, options, solicited, random size and price, conditions.
            "|0||0|0|0|0",
            // Adjusted order.
            "||\(max)|\(max)|\(max)|\(max)|\(max)|0",
            // Operator, tier, money, four of MiFID, three flags, price management.
            "||||\(max)|||||0|0|0|",
        ]
        #expect(text == parts.joined())
    }

    private let max = "1.7976931348623157e+308"

    @Test func hasTheFieldsOfTheReferenceAtTheNewestVersion() throws {
        let text = try layout(Self.plain, at: 200, from: .client)
        #expect(text.hasPrefix(Self.head + "||0|||||||0||-1|0|||0"), "no profile since 177")
        // Duration, venue, parent, override, time, customer, professional, overnight,
        // indicator, imbalance.
        #expect(text.hasSuffix("|0|0|0||2147483647|2147483647|0||||0|0|2147483647|0"))
    }

    /// One order and its message have the same bytes and the same refusals.
    @Test func aloneItIsWrittenAsItsMessageIs() {
        for version in ServerVersion.all {
            let codec = TextCodec(version: version)
            for seed in 0..<20 as Range<UInt64> {
                // Filled for the newest version, it says what older ones do not carry.
                var filler = RandomFiller(
                    version: seed < 10 ? version : ServerVersion.all[ServerVersion.all.count - 1],
                    seed: seed)
                var order = PlaceOrder()
                order.fields(&filler)
                let asMessage = Self.written { bytes throws(EncodingRefusal) in
                    try codec.encode(.placeOrder(order), into: &bytes)
                }
                let before = order
                let alone = Self.written { bytes throws(EncodingRefusal) in
                    try codec.encode(&order, into: &bytes)
                }
                #expect(alone == asMessage, "\(version), seed \(seed)")
                #expect(order == before)
            }
        }
    }

    private static func written(
        _ encode: (inout [UInt8]) throws(EncodingRefusal) -> Void
    ) -> Result<[UInt8], EncodingRefusal> {
        var bytes: [UInt8] = []
        do {
            try encode(&bytes)
        } catch {
            #expect(bytes.isEmpty)
            return .failure(error)
        }
        return .success(bytes)
    }

    /// With the message number, as the reference counts them.
    @Test(arguments: [
        (157, 110), (163, 113), (166, 114), (169, 115), (176, 115), (177, 114), (182, 114),
        (187, 118), (190, 117), (192, 118), (200, 119),
    ])
    func plainOrderHasTheCountsOfTheReference(version: Int, fields: Int) throws {
        #expect(try count(layout(Self.plain, at: version, from: .client)) + 1 == fields)
    }

    @Test func indexesOfAPlainOrderAreThoseOfTheReference() throws {
        var message = Self.plain
        message.order.auxPrice = 1.5
        message.order.ocaGroup = "group"
        message.order.parentId = 6
        message.order.outsideRth = true
        message.order.whatIf = true
        func field(_ index: Int, at version: Int) throws -> Substring {
            let text = try layout(message, at: version, from: .client)
            return text.split(separator: "|", omittingEmptySubsequences: false)[index - 1]
        }
        let expected = [
            (16, "BUY"), (17, "100"), (18, "LMT"), (19, "187.25"), (20, "1.5"), (21, "DAY"),
            (22, "group"), (23, "DU1234567"), (26, "mine"), (27, "1"), (28, "6"), (33, "1"),
        ]
        for (index, value) in expected { #expect(try field(index, at: 176) == value) }
        #expect(try field(85, at: 176) == "1")
        #expect(try field(84, at: 177) == "1")
    }

    /// ib_async leaves empty what IBKR's client fills with its largest numbers, and writes a strike.
    @Test func readsWhatForeignProgramsWrite() throws {
        let official = try layout(Self.plain, at: 178, from: .client)
        let foreign =
            official
            .replacingOccurrences(of: max, with: "")
            .replacingOccurrences(of: "2147483647", with: "")
            .replacingOccurrences(of: "STK|||||SMART", with: "STK||0.0|||SMART")
        #expect(foreign.contains("|0.0|||SMART|") && !foreign.contains("e+308"))
        var expected = Self.plain
        expected.contract.strike = .zero
        #expect(try read(PlaceOrder.self, foreign, at: 178) == expected)
        #expect(try read(PlaceOrder.self, official, at: 178) == Self.plain)
    }

    @Test func infinityMayBeSpelledInTwoWays() throws {
        var message = Self.plain
        message.order.orderType = .peggedToBest
        message.order.pegOffsets.competeAgainstBestOffset = .infinity
        message.order.pegOffsets.midOffsetAtWhole = 0.01
        message.order.pegOffsets.midOffsetAtHalf = 0.005
        let text = try layout(message, at: 178, from: .client)
        #expect(text.hasSuffix("|0||||Infinity|0.01|0.005"))
        for other in ["Infinite", "inf", "+Infinity"] {
            let spelled = text.replacingOccurrences(of: "Infinity", with: other)
            #expect(try read(PlaceOrder.self, spelled, at: 178) == message)
        }
        let unspaced = text.replacingOccurrences(of: "PEG BEST", with: "PEGBEST")
        #expect(try read(PlaceOrder.self, unspaced, at: 178) == message)
    }

    @Test func blocksStandWhereTheReferenceHasThem() throws {
        var message = Self.plain
        message.contract.secType = .combo
        var leg = OrderComboLeg()
        leg.conId = 11
        leg.action = .sell
        leg.exchange = "SMART"
        message.combo.comboLegs = [leg]
        message.combo.orderComboLegs = [OrderComboLegPrice(), OrderComboLegPrice()]
        message.combo.orderComboLegs[1].price = 2.5
        message.combo.smartComboRoutingParams = [TagValue("NonGuaranteed", "1")]
        message.order.algoStrategy = "Adaptive"
        message.order.algoParams = [TagValue("adaptivePriority", "Normal")]
        message.order.hedgeType = .beta
        message.order.hedgeParam = "0.9"
        message.deltaNeutralContract = DeltaNeutralContract()
        message.deltaNeutralContract?.conId = 12
        message.deltaNeutralContract?.delta = 0.5
        message.deltaNeutralContract?.price = 102.75
        message.order.scale.scalePriceIncrement = 0.25
        message.order.scale.scaleInitPosition = 4
        let text = try layout(message, at: 163, from: .client)
        #expect(text.contains("|0|0|1|11|1|SELL|SMART|0|0||-1|2||2.5|1|NonGuaranteed|1||0|"))
        #expect(text.contains("|||0.25||||0|4||0||||B|0.9|0|||0|1|12|0.5|102.75|Adaptive|1|"))
        #expect(text.contains("|Adaptive|1|adaptivePriority|Normal||0||"))
        #expect(try read(PlaceOrder.self, text, at: 163) == message)
    }

    @Test func whatAVersionOrKindDoesNotCarryIsRefusedByName() throws {
        func refusal(at version: Int, _ change: (inout PlaceOrder) -> Void) -> EncodingRefusal? {
            var message = Self.plain
            change(&message)
            do {
                _ = try message.text(at: known(version), from: .client)
                return nil
            } catch { return error }
        }
        func refused(_ field: String, _ needs: Int, at version: Int) -> EncodingRefusal {
            .notCarried(field: field, needs: needs, version: known(version))
        }
        #expect(
            refusal(at: 157) { $0.order.duration = 30 } == refused("duration", 158, at: 157))
        #expect(refusal(at: 158) { $0.order.duration = 30 } == nil)
        #expect(
            refusal(at: 188) { $0.order.includeOvernight = true }
                == refused("includeOvernight", 189, at: 188))
        #expect(
            refusal(at: 177) { $0.order.advisor.faProfile = "P" }
                == refused("faProfile", 0, at: 177))
        #expect(
            refusal(at: 200) { $0.combo.comboLegs = [OrderComboLeg()] }
                == refused("comboLegs", .max, at: 200))
        #expect(
            refusal(at: 200) { $0.order.algoParams = [TagValue("a", "b")] }
                == refused("algoParams", .max, at: 200))
        #expect(
            refusal(at: 200) { $0.order.benchmark.referenceContractId = 1 }
                == refused("referenceContractId", .max, at: 200))
        #expect(
            refusal(at: 200) { $0.order.pegOffsets.midOffsetAtHalf = 1 }
                == refused("midOffsetAtHalf", .max, at: 200))
        #expect(refused("hedgeParam", .max, at: 200).description.contains("this kind of order"))
    }
}
