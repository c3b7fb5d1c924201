import Primitives
import TWSProtocol
import Testing

@Suite struct OrderDraftTests {
    private func order(
        _ draft: OrderDraft, _ side: OrderSide = .buy, exchange: String = "SMART"
    ) throws -> Order {
        let ticket = try side == .buy ? Drafts.buy() : Drafts.sell()
        return try draft.request(7, for: ticket, in: Drafts.stock(exchange: exchange)).order
    }

    /// The words of the reference, and nothing set that does not belong to the type.
    @Test func everyBuilderSetsItsTypeAndTime() throws {
        func words(_ draft: OrderDraft) throws -> String {
            let order = try order(draft)
            return "\(order.orderType.word)|\(order.tif.word)"
        }
        #expect(try words(.market(for: .day)) == "MKT|DAY")
        #expect(try words(.market(for: .fillOrKill)) == "MKT|FOK")
        #expect(try words(.limit(10, for: .goodTillCancelled)) == "LMT|GTC")
        #expect(try words(.limit(10, for: .immediateOrCancel)) == "LMT|IOC")
        #expect(try words(.limit(10, for: .goodTillDate(Drafts.monday))) == "LMT|GTD")
        #expect(try words(.marketOnOpen) == "MKT|OPG")
        #expect(try words(.limitOnOpen(10)) == "LMT|OPG")
        #expect(try words(.marketOnClose) == "MOC|DAY")
        #expect(try words(.limitOnClose(10)) == "LOC|DAY")
        #expect(try words(.stop(10, for: .day)) == "STP|DAY")
        #expect(try words(.stopLimit(StopLimit(stop: 10, limit: 9), for: .day)) == "STP LMT|DAY")
        #expect(try words(.trailingStop(Trail(by: .amount(1)), for: .day)) == "TRAIL|DAY")
        #expect(
            try words(
                .trailingStopLimit(
                    TrailLimit(by: .percent(2), from: 10, limitOffset: 0.1), for: .day))
                == "TRAIL LIMIT|DAY")
        #expect(try words(.marketIfTouched(10, for: .goodTillCancelled)) == "MIT|GTC")
        #expect(
            try words(.limitIfTouched(TouchLimit(touch: 10, limit: 11), for: .day)) == "LIT|DAY")
        #expect(try words(.worked(by: .adaptive(.normal))) == "MKT|DAY")
        #expect(try words(.worked(by: .adaptive(.normal), limit: 10)) == "LMT|DAY")
        #expect(try words(.relative(RelativePeg(by: .amount(0)), for: .day)) == "REL|DAY")
        #expect(try words(.peggedToMarket(offset: 0, for: .day)) == "PEG MKT|DAY")
    }

    /// Whatever the builder: side, size, account, text and time in force are there.
    @Test func nothingAnOrderNeedsIsLeftOut() throws {
        for sample in try DraftSamples.all() {
            let order = try sample.request().order
            #expect(order.action == .buy && order.totalQuantity == 100)
            #expect(order.account == "DU1234567" && order.orderRef == "momentum/17")
            #expect(order.tif != .none && order.orderType != .none && order.transmit)
            #expect(!order.whatIf && order.parentId == 0)
        }
    }

    @Test func endOfAnOrderIsStatedInUTC() throws {
        let order = try order(.limit(10, for: .goodTillDate(Drafts.monday)))
        #expect("\(order.goodTillDate)" == "20261123-15:00:00")
        #expect(try self.order(.limit(10, for: .day)).goodTillDate == .none)
    }

    @Test func hoursAreRegularIfNotStatedOtherwise() throws {
        #expect(try !order(.limit(10, for: .day)).outsideRth)
        #expect(try order(.limit(10, for: .day, in: .extended)).outsideRth)
        #expect(try order(.stop(10, for: .day, in: .extended)).outsideRth)
    }

    /// Limits move away from the market, stops towards it: one that protects is never further away.
    @Test func pricesGoDownForBuysAndUpForSells() throws {
        #expect(try order(.limit(187.257, for: .day)).lmtPrice == 187.25)
        #expect(try order(.limit(187.253, for: .day), .sell).lmtPrice == 187.26)
        #expect(try order(.stop(187.257, for: .day)).auxPrice == 187.25)
        #expect(try order(.stop(187.253, for: .day), .sell).auxPrice == 187.26)
        #expect(try order(.limit(0.12345, for: .day)).lmtPrice == 0.1234)
        #expect(try order(.limitOnClose(5.001), .sell).lmtPrice == 5.01)
        let stopLimit = try order(
            .stopLimit(StopLimit(stop: 9.993, limit: 9.901), for: .day), .sell)
        #expect(stopLimit.auxPrice == 10 && stopLimit.lmtPrice == 9.91)
        let touched = try order(.limitIfTouched(TouchLimit(touch: 9.999, limit: 10.019), for: .day))
        #expect(touched.auxPrice == 9.99 && touched.lmtPrice == 10.01)
        #expect(try order(.limit(187.25, for: .day), .sell).lmtPrice == 187.25)
    }

    @Test func aTrailIsAnAmountOrAPercentage() throws {
        let amount = try order(.trailingStop(Trail(by: .amount(1.259)), for: .day), .sell)
        #expect(amount.auxPrice == 1.25 && amount.trailingPercent == nil)
        #expect(amount.trailStopPrice == nil)
        let percent = try order(
            .trailingStop(Trail(by: .percent(2.5), from: 95.001), for: .day), .sell)
        #expect(percent.auxPrice == nil && percent.trailingPercent == 2.5)
        #expect(percent.trailStopPrice == 95.01)
        let limited = try order(
            .trailingStopLimit(
                TrailLimit(by: .amount(0.00555), from: 0.5, limitOffset: 0.00019), for: .day))
        #expect(limited.auxPrice == 0.0055, "steps at the price it starts from")
        #expect(limited.adjusted.lmtPriceOffset == 0.0001)
        #expect(limited.lmtPrice == nil)
    }

    @Test func distancesThatMakeNoSenseAreRefused() throws {
        func refusal(_ trail: TrailDistance, from start: DecimalValue? = nil) -> OrderRefusal? {
            Drafts.refusal {
                try order(.trailingStop(Trail(by: trail, from: start), for: .day), .sell)
            }
        }
        #expect(
            refusal(.amount(0.005)) == .belowStep(field: "auxPrice", 0.005, step: 0.01),
            "without a start the coarsest step counts")
        #expect(refusal(.amount(0.005), from: 0.5) == nil)
        #expect(refusal(.amount(0)) == .outOfRange(field: "auxPrice", 0))
        #expect(refusal(.amount(-1)) == .outOfRange(field: "auxPrice", -1))
        #expect(refusal(.amount(.infinity)) == .outOfRange(field: "auxPrice", .infinity))
        #expect(refusal(.percent(0)) == .outOfRange(field: "trailingPercent", 0))
        #expect(refusal(.percent(100)) == .outOfRange(field: "trailingPercent", 100))
    }

    @Test func pricesThatFitNoStepAreRefused() {
        #expect(
            Drafts.refusal { try order(.limit(0.00004, for: .day)) }
                == .noStepFits(field: "lmtPrice", 0.00004))
        #expect(
            Drafts.refusal { try order(.stop(-3, for: .day), .sell) }
                == .noStepFits(field: "auxPrice", -3))
        #expect(
            Drafts.refusal { try order(.limit(.infinity, for: .day)) }
                == .noStepFits(field: "lmtPrice", .infinity))
    }

    @Test func ticketsNeedQuantityAccountAndText() throws {
        #expect(Drafts.refusal { try Drafts.buy(0) } == .outOfRange(field: "totalQuantity", 0))
        #expect(Drafts.refusal { try Drafts.buy(-1) } == .outOfRange(field: "totalQuantity", -1))
        #expect(
            Drafts.refusal { try Drafts.buy(.infinity) }
                == .outOfRange(field: "totalQuantity", .infinity))
        #expect(
            Drafts.refusal { try OrderOwner(account: "", reference: "a") }
                == .missing(field: "account"))
        #expect(
            Drafts.refusal { try OrderOwner(account: "DU1", reference: "") }
                == .missing(field: "orderRef"))
        #expect(
            Drafts.refusal { try OrderOwner(account: "DU1", reference: "é") }
                == .badCharacter(field: "orderRef"))
        let fraction = try OrderDraft.market(for: .day)
            .request(7, for: Drafts.buy(1.1404), in: Drafts.stock())
        #expect(fraction.order.totalQuantity == 1.1404)
        #expect(
            Drafts.refusal {
                try OrderDraft.market(for: .day).request(0, for: Drafts.buy(), in: Drafts.stock())
            } == .outOfRange(field: "orderId", 0))
    }

    @Test func onlyTradableContractsAreTaken() throws {
        let ladder = try PriceLadder(step: 0.01)
        var contract = Contract.stock("VIX")
        contract.secType = .index
        #expect(
            Drafts.refusal { try TradableContract(contract, on: ladder) } == .notTradable(.index))
        contract.secType = .combo
        #expect(
            Drafts.refusal { try TradableContract(contract, on: ladder) }
                == .missing(field: "comboLegs"))
        var combo = ComboTerms()
        combo.comboLegs = [OrderComboLeg()]
        let spread = try TradableContract(contract, on: .spread(step: 0.05), combo: combo)
        let request = try OrderDraft.limit(-1.02, for: .day)
            .request(7, for: Drafts.buy(), in: spread)
        #expect(request.combo == combo && request.order.lmtPrice == -1.05)
        contract.secType = .stock
        #expect(
            Drafts.refusal { try TradableContract(contract, on: ladder, combo: combo) }
                == .missing(field: "comboLegs"))
        contract.exchange = ""
        #expect(
            Drafts.refusal { try TradableContract(contract, on: ladder) }
                == .missing(field: "exchange"))
    }

    @Test func algorithmsCarryTheirParameters() throws {
        func text(_ algorithm: OrderAlgorithm) throws -> String {
            let order = try order(.worked(by: algorithm, limit: 10))
            return order.algoStrategy
                + order.algoParams.reduce(into: "") { $0 += "|\($1.tag)=\($1.value)" }
        }
        #expect(try text(.adaptive(.urgent)) == "Adaptive|adaptivePriority=Urgent")
        #expect(try text(.adaptive(.patient)) == "Adaptive|adaptivePriority=Patient")
        let end = Timestamp(nanoseconds: Drafts.monday.nanoseconds + 3_600_000_000_000)
        var span = AlgorithmSpan(from: Drafts.monday, to: end)
        span.mayPassEnd = true
        #expect(
            try text(.timeWeighted(TimeWeighted(.midpoint, over: span)))
                == "Twap|strategyType=Matching Midpoint|startTime=20261123-15:00:00"
                + "|endTime=20261123-16:00:00|allowPastEndTime=1")
        var volume = VolumeWeighted(volumeShareMax: 0.1)
        volume.avoidsTaking = true
        #expect(
            try text(.volumeWeighted(volume))
                == "Vwap|maxPctVol=0.1|startTime=|endTime=|allowPastEndTime=0|noTakeLiq=1|speedUp=0"
        )
        #expect(
            try text(.other("DarkIce", [TagValue("displaySize", "50")])) == "DarkIce|displaySize=50"
        )
        #expect(
            Drafts.refusal {
                try OrderAlgorithm.timeWeighted(
                    TimeWeighted(.last, over: AlgorithmSpan(from: end, to: Drafts.monday)))
            } == .endsBeforeBegin(field: "endTime"))
        #expect(
            Drafts.refusal {
                try OrderAlgorithm.volumeWeighted(VolumeWeighted(volumeShareMax: 0.51))
            } == .outOfRange(field: "maxPctVol", 0.51))
        #expect(
            Drafts.refusal { try OrderAlgorithm.other("", []) }
                == .missing(field: "algoStrategy"))
    }

    @Test func groupsHaveANameAndAnEffect() throws {
        for (effect, type) in [
            (OCAGroup.Effect.cancelWithBlock, 1), (.reduceWithBlock, 2), (.reduceWithoutBlock, 3),
        ] {
            let group = try OCAGroup("pair-1", onFill: effect)
            let order = try order(.limit(10, for: .day).inGroup(group))
            #expect(order.ocaGroup == "pair-1" && order.ocaType.code == Int32(type))
        }
        #expect(
            Drafts.refusal { try OCAGroup("", onFill: .cancelWithBlock) }
                == .missing(field: "ocaGroup"))
    }

    @Test func conditionsMustStateSomethingThatCanHold() throws {
        func refusal(_ condition: OrderCondition) -> OrderRefusal? {
            Drafts.refusal {
                try OrderDraft.market(for: .day).when(OrderConditions(.margin(.init()), condition))
            }
        }
        #expect(refusal(.price(PriceCondition())) == .condition(1, reason: "no instrument"))
        #expect(refusal(.time(TimeCondition())) == .condition(1, reason: "no time with a zone"))
        var time = TimeCondition()
        time.time = .wall(.init(day: Drafts.monday.day, second: 0), zone: "")
        #expect(refusal(.time(time)) == .condition(1, reason: "a time without its zone"))
        time.time = WireTime(utc: Drafts.monday)
        #expect(refusal(.time(time)) == nil)
        time.conjunction = .unknown("x")
        #expect(refusal(.time(time)) == .condition(1, reason: "no known conjunction"))
        #expect(refusal(.execution(.init())) == .condition(1, reason: "no instrument"))
        var margin = MarginCondition()
        margin.percent = 101
        #expect(refusal(.margin(margin)) == .condition(1, reason: "no percentage"))
        var conditions = OrderConditions(.margin(MarginCondition()))
        conditions.effect = .cancel
        conditions.hours = .extended
        let order = try order(.market(for: .day).when(conditions))
        #expect(order.conditionsCancelOrder && order.conditionsIgnoreRth)
    }

    @Test func onlyOrdersThatWaitForAPriceHaveAWayToBeReleased() throws {
        let stop = try order(.stop(10, for: .day).triggered(by: .doubleLast), .sell)
        #expect(stop.triggerMethod == .doubleLast)
        #expect(
            Drafts.refusal { try OrderDraft.market(for: .day).triggered(by: .last) }
                == .outOfRange(field: "triggerMethod", 2))
        #expect(
            Drafts.refusal { try OrderDraft.stop(10, for: .day).triggered(by: .unknown(5)) }
                == .outOfRange(field: "triggerMethod", 5))
    }

    @Test func venueOrdersGoToTheirVenueOnly() throws {
        let draft = OrderDraft.peggedToMidpoint(
            MidpointPeg(MidpointOffsets(atWhole: 0, atHalf: 0.005)), for: .day)
        #expect(
            Drafts.refusal { try order(draft) }
                == .wrongExchange(needed: "IBKRATS", given: "SMART"))
        #expect(try order(draft, exchange: "IBKRATS").notHeld)
        let best = OrderDraft.peggedToBest(BestPeg(by: .amount(.infinity)), for: .day)
        #expect(
            Drafts.refusal { try order(best, exchange: "IBKRATS") }
                == .outOfRange(field: "competeAgainstBestOffset", .infinity))
        var peg = BestPeg(by: .amount(0.01))
        peg.minCompeteSize = 0
        #expect(
            Drafts.refusal {
                try order(.peggedToBest(peg, for: .day), exchange: "IBKRATS")
            } == .outOfRange(field: "minCompeteSize", 0))
    }

    @Test func aBenchmarkMustBeNamed() throws {
        var peg = BenchmarkPeg()
        func refusal() -> OrderRefusal? {
            Drafts.refusal {
                try order(.peggedToBenchmark(BenchmarkOrder(peg, from: 10), for: .day))
            }
        }
        #expect(refusal() == .missing(field: "referenceContractId"))
        peg.referenceContractId = 11
        #expect(refusal() == .missing(field: "referenceExchangeId"))
        peg.referenceExchangeId = "ISLAND"
        #expect(refusal() == .outOfRange(field: "peggedChangeAmount", 0))
        peg.peggedChangeAmount = 0.5
        #expect(refusal() == .outOfRange(field: "referenceChangeAmount", 0))
        peg.referenceChangeAmount = 0.25
        #expect(refusal() == nil)
    }
}
