import Primitives
import TWSProtocol
import Testing

/// Random work for an outbox over simulated hours, held to the broker's rules by an independent count.
@Suite struct PacingPropertyTests {
    /// A caller with a will of its own, from a seed.
    private final class Crowd {
        let sender = Sender()
        var generator: SeededGenerator
        /// Requests that were queued and not ended, with their kind.
        var begun: [(id: Int, request: PacedRequest)] = []
        var refused = 0
        private var ids = 0
        /// How many contracts there are: few make the rules about the same contract bite.
        private let contracts: Int

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            contracts = [2, 10, 80][Int(seed % 3)]
        }

        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

        func request() -> PacedRequest {
            let contract = ContractKey(id: below(contracts), exchange: "SMART")
            let show = ["TRADES", "BID_ASK", "MIDPOINT"][below(3)]
            func history(_ kind: HistoryQuery.Kind) -> PacedRequest {
                .history(
                    HistoryQuery(kind, of: contract, showing: show, span: "\(below(3)) D"))
            }
            switch below(10) {
            case 0, 1: return history(.bars(seconds: [1, 5, 30][below(3)]))
            case 2: return history(.ticks)
            case 3: return history(.realTimeBars)
            case 4: return history(.bars(seconds: 60))
            case 5: return .tickByTick(contract)
            case 6: return .regulatorySnapshot
            case 7: return .marketDepth
            case 8: return .marketData
            default: return .scanner
            }
        }

        /// One burst of whatever kind, then some time.
        func act() -> Bool {
            for _ in 0..<[1, 5, 200][below(3)] {
                ids += 1
                let admission: Admission
                switch below(8) {
                case 0: admission = sender.send(ids, .cancel, about: .order(below(50)))
                case 1: admission = sender.send(ids, .order, about: .order(below(50)))
                case 2: admission = sender.send(ids, .data)
                default:
                    let request = request()
                    admission = sender.send(ids, about: .request(ids), for: request)
                    if admission == .queued { begun.append((ids, request)) }
                }
                if admission != .queued { refused += 1 }
            }
            let gap = Int64(generator.nextExponential(mean: 15e9))
            let isSound = sender.run(for: Duration(nanoseconds: gap))
            for _ in 0..<below(40) where !begun.isEmpty {
                let index = below(begun.count)
                sender.outbox.finished(begun[index].id)
                begun.remove(at: index)
            }
            return isSound
        }
    }

    /// Two hours a seed, and what arrives may have been held up for half a second.
    @Test(arguments: 0..<3 as Range<UInt64>)
    func theBrokerFindsNothing(seed: UInt64) {
        let crowd = Crowd(seed: seed)
        let end = crowd.sender.now + .hours(2)
        while crowd.sender.now < end {
            guard crowd.act() else {
                Issue.record("the outbox said to wait for what is over")
                return
            }
        }
        let log = crowd.sender.log
        #expect(log.count > 1_000)
        #expect(PacingAudit(log: log).most(in: .seconds(1)) <= 40)
        var reached = Timestamp.distantPast
        let late = log.map { arrival in
            let delay = Int64.random(in: 0..<500_000_000, using: &crowd.generator)
            reached = max(reached, arrival.at + Duration(nanoseconds: delay))
            return Arrival(at: reached, priority: arrival.priority, request: arrival.request)
        }
        #expect(PacingAudit(log: late).violations() == [])
    }

    /// What is remembered does not grow with the time it runs.
    @Test(arguments: 1..<2 as Range<UInt64>)
    func memoryIsBounded(seed: UInt64) {
        let crowd = Crowd(seed: seed)
        var most = 0
        let end = crowd.sender.now + .hours(1)
        var acts = 0
        while crowd.sender.now < end, crowd.act() {
            acts += 1
            guard acts % 20 == 0 else { continue }
            most = max(most, values(in: crowd.sender.outbox.requests))
        }
        // 60 small requests, 256 for every tick and 167 places, each of at most 12 values.
        #expect(most < 483 * 12)
        #expect(crowd.sender.outbox.count <= 256 + 64 + 1_000)
        #expect(values(in: crowd.sender.outbox.messages) < 200)
        #expect(crowd.refused > 0)
    }

    /// How many values a value holds, its parts' parts included.
    private func values(in subject: Any) -> Int {
        Mirror(reflecting: subject).children.reduce(1) { $0 + values(in: $1.value) }
    }

    /// What was told before is what happens, if nothing else does.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func delaysAreKept(seed: UInt64) {
        let crowd = Crowd(seed: seed)
        for step in 0..<20 {
            guard crowd.act() else {
                Issue.record("the outbox said to wait for what is over")
                return
            }
            let message = Outgoing(
                token: -step, priority: .data, subject: .request(-step), request: crowd.request())
            let start = crowd.sender.now
            guard case .after(let published, _) = crowd.sender.outbox.delay(for: message, at: start)
            else { continue }
            #expect(crowd.sender.outbox.enqueue(message) == .queued)
            let isSound = crowd.sender.run(until: start + published)
            #expect(isSound)
            let left = crowd.sender.left.last { $0.item == -step }
            #expect(left?.at == start + published)
            crowd.sender.outbox.finished(-step)
        }
    }
}
