import Primitives
import TWSProtocol
import Testing

@Suite struct PacingRequestTests {
    private let start = Timestamp(seconds: 1_000)
    private var exact: RequestLimits {
        var limits = RequestLimits()
        limits.margin = .zero
        return limits
    }

    private func history(
        _ kind: HistoryQuery.Kind = .bars(seconds: 5), of id: Int, _ show: String = "TRADES",
        span: String = "1800 S"
    ) -> PacedRequest {
        .history(
            HistoryQuery(
                kind, of: ContractKey(id: id, exchange: "SMART"), showing: show, span: span))
    }

    /// Begins and ends requests, so that only time counts.
    private func ask(
        _ pace: inout RequestPace, _ request: PacedRequest, at time: Timestamp
    ) -> Turn {
        let turn = pace.begin(request, id: 1, at: time)
        pace.finished(1)
        return turn
    }

    @Test func sixtySmallRequestsInTenMinutes() {
        var pace = RequestPace(limits: exact)
        for id in 0..<60 {
            #expect(ask(&pace, history(of: id), at: start + .seconds(Int64(id))) == .now)
        }
        let next = history(of: 99)
        #expect(
            pace.turn(for: next, at: start + .seconds(60)) == .after(.seconds(540), .smallHistory))
        #expect(pace.turn(for: next, at: start + .seconds(600)) == .now)
        // The second of them is free a second later: what counts twice needs both.
        #expect(
            pace.turn(for: history(of: 99, "BID_ASK"), at: start + .seconds(600))
                == .after(.seconds(1), .smallHistory))
    }

    @Test(arguments: [
        HistoryQuery.Kind.bars(seconds: 1), .bars(seconds: 30), .ticks, .realTimeBars,
    ])
    func smallKindsShareTheTenMinutes(kind: HistoryQuery.Kind) {
        var pace = RequestPace()
        for id in 0..<30 {
            #expect(ask(&pace, history(of: id, "BID_ASK"), at: start) == .now)
        }
        #expect(
            pace.turn(for: history(kind, of: 99), at: start)
                == .after(.seconds(600) + .milliseconds(500), .smallHistory))
    }

    /// 85 symbols with daily bars must not take ten minutes.
    @Test func minuteBarsAndLongerAreFree() {
        var pace = RequestPace()
        for id in 0..<500 {
            #expect(ask(&pace, history(.bars(seconds: 60), of: id % 3), at: start) == .now)
            #expect(ask(&pace, history(.bars(seconds: 86_400), of: id), at: start) == .now)
        }
        #expect(ask(&pace, history(of: 1), at: start) == .now)
    }

    @Test func theSameQuestionWaitsFifteenSecondsAndTheMargin() {
        var pace = RequestPace()
        let question = history(of: 1)
        #expect(ask(&pace, question, at: start) == .now)
        #expect(
            ask(&pace, question, at: start + .seconds(5))
                == .after(.seconds(10) + .milliseconds(500), .sameQuery))
        #expect(ask(&pace, history(of: 1, span: "60 S"), at: start + .seconds(5)) == .now)
        #expect(ask(&pace, question, at: start + .seconds(15) + .milliseconds(500)) == .now)
    }

    @Test func fewerThanSixOfTheSameTicksInTwoSeconds() {
        var pace = RequestPace(limits: exact)
        for span in 0..<5 {
            #expect(ask(&pace, history(of: 1, span: "\(span) S"), at: start) == .now)
        }
        let sixth = history(of: 1, span: "6 S")
        #expect(pace.turn(for: sixth, at: start) == .after(.seconds(2), .sameTicks))
        #expect(pace.turn(for: history(of: 2), at: start) == .now)
        #expect(pace.turn(for: history(of: 1, "BID"), at: start) == .now)
        // Twice two is four, and one more pair is six.
        #expect(ask(&pace, history(of: 7, "BID_ASK", span: "1 S"), at: start) == .now)
        #expect(ask(&pace, history(of: 7, "BID_ASK", span: "2 S"), at: start) == .now)
        #expect(
            pace.turn(for: history(of: 7, "BID_ASK", span: "3 S"), at: start)
                == .after(.seconds(2), .sameTicks))
    }

    @Test func openHistoryIsCapped() {
        var pace = RequestPace()
        for id in 0..<50 {
            #expect(pace.begin(history(.bars(seconds: 60), of: id), id: id, at: start) == .now)
        }
        let full = PacingRefusal.full(.openHistory, allowed: 50)
        let next = history(.bars(seconds: 86_400), of: 99)
        #expect(pace.begin(next, id: 99, at: start) == .refused(full))
        #expect(full.remedy.contains("answer"))
        #expect(pace.finished(7) == true)
        #expect(pace.finished(7) == false)
        #expect(pace.begin(next, id: 99, at: start) == .now)
    }

    @Test(arguments: [
        (PacedRequest.marketData, PacingLimit.marketDataLines, 100),
        (.marketDepth, .marketDepth, 3), (.accountSummary, .accountSummaries, 2),
        (.scanner, .scanners, 10),
    ])
    func subscriptionsAreCapped(request: PacedRequest, limit: PacingLimit, allowed: Int) {
        var pace = RequestPace()
        for id in 0..<allowed { #expect(pace.begin(request, id: id, at: start) == .now) }
        #expect(
            pace.begin(request, id: 999, at: start) == .refused(.full(limit, allowed: allowed)))
        #expect(pace.taken(of: limit) == allowed && pace.allowed(of: limit) == allowed)
        pace.disconnected()
        #expect(pace.begin(request, id: 999, at: start) == .now)
    }

    @Test func realTimeBarsTakeALineToo() {
        var limits = RequestLimits()
        limits.marketDataLines = 1
        var pace = RequestPace(limits: limits)
        #expect(pace.begin(history(.realTimeBars, of: 1), id: 1, at: start) == .now)
        let full = Turn.refused(.full(.marketDataLines, allowed: 1))
        #expect(pace.turn(for: .marketData, at: start) == full)
    }

    @Test func tickByTickIsFivePercentAndOncePerContract() {
        var pace = RequestPace(limits: exact)
        for id in 0..<5 {
            let contract = ContractKey(id: id, exchange: "SMART")
            #expect(pace.begin(.tickByTick(contract), id: id, at: start) == .now)
        }
        let first = ContractKey(id: 0, exchange: "SMART")
        #expect(
            pace.turn(for: .tickByTick(first), at: start)
                == .refused(.full(.tickByTick, allowed: 5)))
        pace.finished(0)
        #expect(
            pace.turn(for: .tickByTick(first), at: start + .seconds(1))
                == .after(.seconds(14), .sameInstrument))
        #expect(pace.turn(for: .tickByTick(first), at: start + .seconds(15)) == .now)
    }

    @Test func snapshotsWaitAndWhatIfsAreAdvised() {
        var pace = RequestPace(limits: exact)
        #expect(pace.begin(.regulatorySnapshot, id: 1, at: start) == .now)
        #expect(
            pace.begin(.regulatorySnapshot, id: 2, at: start)
                == .after(.seconds(1), .regulatorySnapshot))
        #expect(pace.begin(.whatIf, id: 3, at: start) == .now)
        #expect(pace.turn(for: .whatIf, at: start) == .after(.minutes(1), .whatIf))
        #expect(pace.begin(.whatIf, id: 4, at: start) == .now)
    }

    @Test func aViolationLetsAllHistoryRest() {
        var pace = RequestPace()
        #expect(pace.violated(at: start) == .seconds(30))
        #expect(
            pace.turn(for: history(.bars(seconds: 86_400), of: 1), at: start + .seconds(10))
                == .after(.seconds(20), .backOff))
        #expect(pace.turn(for: .marketData, at: start) == .now)
        #expect(pace.violated(at: start + .seconds(30)) == .seconds(60))
        #expect(pace.violated(at: start + .seconds(90)) == .seconds(120))
        for _ in 0..<100 { #expect(pace.violated(at: start + .seconds(90)) <= .minutes(10)) }
        #expect(pace.violated(at: start + .seconds(91)) == .minutes(10))
        let calm = start + .seconds(91) + .minutes(10)
        #expect(pace.violated(at: calm) == .seconds(30))
    }

    @Test func askingTakesNothing() {
        let pace = RequestPace()
        for _ in 0..<1_000 { #expect(pace.turn(for: history(of: 1), at: start) == .now) }
    }

    @Test func anIdIsOpenOnce() {
        var pace = RequestPace()
        #expect(pace.begin(.marketData, id: 4, at: start) == .now)
        #expect(pace.begin(.scanner, id: 4, at: start) == .refused(.idInUse(4)))
    }
}
