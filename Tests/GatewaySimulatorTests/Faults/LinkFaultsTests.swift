import GatewaySimulator
import Primitives
import Testing

@Suite struct LinkFaultsTests {
    private let first = ConnectionID(number: 1)
    private let start = Timestamp(seconds: 1_700_000_000)

    private func links(seed: UInt64 = 1) -> LinkFaults {
        var links = LinkFaults(seed: seed)
        links.opened(first)
        return links
    }

    private func push(
        _ bytes: [UInt8], _ links: inout LinkFaults, after time: Duration = .zero
    ) -> [LinkFaults.Arrival] {
        var arrivals: [LinkFaults.Arrival] = []
        links.push(.bytes(bytes), .toClient, on: first, at: start + time, into: &arrivals)
        return arrivals
    }

    private func pass(_ links: inout LinkFaults, after time: Duration) -> [LinkFaults.Arrival] {
        var arrivals: [LinkFaults.Arrival] = []
        links.pass(at: start + time, into: &arrivals)
        return arrivals
    }

    private func arrival(_ bytes: [UInt8]) -> LinkFaults.Arrival {
        arrival(.bytes(bytes))
    }

    private func arrival(_ frame: ConnectionFrame) -> LinkFaults.Arrival {
        LinkFaults.Arrival(connection: first, direction: .toClient, frame: frame)
    }

    @Test func bytesPassAsTheyComeWithoutFaults() {
        var links = links()
        #expect(push([1, 2, 3], &links) == [arrival([1, 2, 3])])
        #expect(links.isFree)
    }

    @Test func stalledBytesComeInTheirOrderWhenTheStallEnds() {
        var links = links()
        links.change([.toClient], of: [first], lasts: false) {
            $0.stalledUntil = start + .seconds(10)
        }
        #expect(push([1], &links).isEmpty)
        #expect(push([2], &links, after: .seconds(5)).isEmpty)
        #expect(pass(&links, after: .milliseconds(9_999)).isEmpty)
        #expect(pass(&links, after: .seconds(10)) == [arrival([1]), arrival([2])])
    }

    @Test func oneWayStallLeavesTheOtherWayOpen() {
        var links = links()
        links.change([.toClient], of: [first], lasts: false) {
            $0.stalledUntil = .distantFuture
        }
        var arrivals: [LinkFaults.Arrival] = []
        links.push(.bytes([7]), .toGateway, on: first, at: start, into: &arrivals)
        #expect(arrivals.count == 1)
        #expect(push([1], &links).isEmpty)
    }

    @Test func stallComesToNewConnectionsOnlyWhenAsked() {
        for lasts in [false, true] {
            var links = links()
            links.change([.toClient], of: [first], lasts: lasts) {
                $0.stalledUntil = .distantFuture
            }
            let second = ConnectionID(number: 2)
            links.opened(second)
            var arrivals: [LinkFaults.Arrival] = []
            links.push(.bytes([1]), .toClient, on: second, at: start, into: &arrivals)
            #expect(arrivals.isEmpty == lasts)
        }
    }

    @Test func whatIsLatePassesOnceTheLinkIsHealed() {
        var links = links()
        links.change([.toClient], of: [first], lasts: false) {
            $0.delay = .seconds(30)...Duration.seconds(30)
        }
        #expect(push([1], &links).isEmpty)
        links.heal()
        #expect(pass(&links, after: .milliseconds(250)) == [arrival([1])])
        #expect(push([2], &links, after: .milliseconds(250)) == [arrival([2])])
        #expect(links.isFree)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func drawnDelaysKeepTheOrderAndTheirBounds(seed: UInt64) {
        var links = links(seed: seed)
        links.change([.toClient], of: [first], lasts: false) {
            $0.delay = .seconds(2)...Duration.seconds(30)
        }
        #expect(push([0], &links).isEmpty)
        #expect(pass(&links, after: .milliseconds(1_999)).isEmpty)
        var arrivals: [LinkFaults.Arrival] = []
        for number in 1..<20 {
            arrivals += push([UInt8(number)], &links, after: .seconds(Int64(number)))
        }
        arrivals += pass(&links, after: .seconds(49))
        #expect(arrivals == (0..<20).map { arrival([UInt8($0)]) })
    }

    @Test func oneSeedGivesOneDelay() {
        var arrivals: [[LinkFaults.Arrival]] = []
        for _ in 0..<2 {
            var links = links(seed: 9)
            links.change([.toClient], of: [first], lasts: false) {
                $0.delay = .zero...Duration.seconds(10)
            }
            _ = push([1], &links)
            _ = push([2], &links)
            arrivals.append(pass(&links, after: .seconds(5)))
        }
        #expect(arrivals[0] == arrivals[1])
    }

    @Test func throttlePassesFewBytesAtATime() {
        var links = links()
        links.change([.toClient], of: [first], lasts: false) {
            $0.pieceMax = 2
            $0.pieceInterval = .seconds(1)
        }
        #expect(push([1, 2, 3, 4, 5], &links) == [arrival([1, 2])])
        #expect(pass(&links, after: .milliseconds(500)).isEmpty)
        #expect(pass(&links, after: .seconds(1)) == [arrival([3, 4])])
        // Time that passed at once lets as many pieces pass as there would have been.
        #expect(push([6, 7], &links, after: .seconds(5)) == [arrival([5]), arrival([6, 7])])
    }

    @Test(arguments: [ConnectionFrame.reset, .close])
    func cutBreaksTheConnectionAfterExactlySoManyBytes(end: ConnectionFrame) {
        for count in 1...6 {
            var links = links()
            links.cut(first, .toClient, after: count, by: end)
            let arrivals = push([1, 2, 3], &links) + push([4, 5, 6], &links) + push([7], &links)
            let bytes = arrivals.flatMap { arrival -> [UInt8] in
                guard case .bytes(let bytes) = arrival.frame else { return [] }
                return bytes
            }
            #expect(bytes == (1...count).map { UInt8($0) })
            #expect(arrivals.last == arrival(end))
        }
    }

    @Test func endOfTheConnectionWaitsBehindItsBytes() {
        var links = links()
        links.change([.toClient], of: [first], lasts: false) {
            $0.delay = .seconds(1)...Duration.seconds(1)
        }
        _ = push([1], &links)
        var arrivals: [LinkFaults.Arrival] = []
        links.push(.close, .toClient, on: first, at: start, into: &arrivals)
        #expect(arrivals.isEmpty)
        #expect(pass(&links, after: .seconds(1)) == [arrival([1]), arrival(.close)])
        #expect(push([2], &links, after: .seconds(2)).isEmpty)
    }

    @Test func connectionBreaksWhenTooMuchIsHeld() {
        var links = links()
        links.change([.toClient], of: [first], lasts: false) {
            $0.stalledUntil = .distantFuture
        }
        let megabyte = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<64 { #expect(push(megabyte, &links).isEmpty) }
        #expect(push([1], &links) == [arrival(.reset)])
    }
}
