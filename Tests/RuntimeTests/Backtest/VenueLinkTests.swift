import MarketState
import Model
import Primitives
import Simulation
import TestSupport
import Testing

@testable import Runtime

@Suite struct VenueLinkTests {
    private static func link(_ latencies: Latencies) -> VenueLink {
        VenueLink(
            to: SimulatedBroker(
                instruments: Make.instruments("TEST"), rules: VenueRules(calendar: .always)),
            latencies, seed: 3)
    }

    /// A connection keeps order: whatever is drawn, nothing overtakes what was sent before it.
    @Test func nothingOvertakesWhatWasSentBefore() {
        let drawn = LatencyModel.exponential(minimum: .milliseconds(1), mean: .seconds(60))
        var link = Self.link(Latencies(marketData: drawn, order: drawn, acknowledgement: drawn))
        var newest = (
            data: Timestamp.distantPast, command: Timestamp.distantPast,
            answer: Timestamp.distantPast
        )
        for second in 0..<500 as Range<Int64> {
            let now = Make.time(second)
            link.delayData(from: now)
            let (command, answer) = (
                link.arrivalOfCommand(sentAt: now), link.arrivalOfAnswer(givenAt: now)
            )
            let isInOrder =
                link.newestData >= newest.data && command >= newest.command
                && answer >= newest.answer
            #expect(isInOrder)
            let earliest = min(link.newestData, command, answer)
            #expect(earliest >= now + .milliseconds(1))
            newest = (link.newestData, command, answer)
        }
    }

    @Test func withoutLatencyEverythingArrivesAtOnce() {
        var link = Self.link(.none)
        let (command, answer) = (
            link.arrivalOfCommand(sentAt: Make.time(5)), link.arrivalOfAnswer(givenAt: Make.time(5))
        )
        #expect(command == Make.time(5))
        #expect(answer == Make.time(5))
        let delaysData = link.delaysData
        #expect(!delaysData)
    }

    /// Answers come out in the order in which the venue gave them, each once.
    @Test func answersAreTakenOnce() {
        var link = Self.link(.none)
        for number in 1...3 as ClosedRange<Int64> {
            let ticket = OrderTicket(id: OrderID(number: number), request: Make.request(.buy, 100))
            link.deliver(.submit(ticket), at: Make.time(0), during: nil)
        }
        var orders: [Int64] = []
        while link.hasAnswers { orders.append(link.takeAnswer().order.number) }
        #expect(orders == [1, 2, 3])
        link.deliver(.cancel(OrderID(number: 2)), at: Make.time(1), during: nil)
        let answer = link.takeAnswer()
        #expect(answer == OrderReport(order: OrderID(number: 2), fact: .cancelled(.requested)))
    }
}
