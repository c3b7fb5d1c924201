import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

/// Bytes of one direction stay in the order in which they were said, whatever the other direction suffers.
@Suite struct WireOrderTests {
    private func command(_ line: String, on rig: GatewayRig) {
        #expect(rig.gateway.control(line).contains(#""done""#))
        rig.deliver()
    }

    @Test func answerToWhatWaitedComesBehindTheAnswerThatWaited() {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        command(#"{"do":"stall","direction":"out","seconds":10}"#, on: rig)
        client.send(.reqCurrentTime(ReqCurrentTime()))
        command(#"{"do":"stall","direction":"in","seconds":10}"#, on: rig)
        client.send(.reqAllOpenOrders(ReqAllOpenOrders()))
        rig.pass(.milliseconds(9_750))
        #expect(client.messages.isEmpty)
        rig.pass(.milliseconds(250))
        // Both stalls end in this step.
        #expect(client.messages.map(\.kind) == [.currentTime, .openOrderEnd])
    }

    /// Pieces pass at tenths of seconds, time in quarters: in some steps more could pass than there is.
    @Test(arguments: 1...8)
    func requestThatComesWhileAnAnswerIsThrottledDoesNotTearIt(bytes: Int) {
        for steps in 1...20 {
            let rig = GatewayRig()
            let client = rig.begin(as: 1)
            client.take()
            command(
                #"{"do":"trickle","direction":"out","bytes":\#(bytes),"seconds":0.1}"#, on: rig)
            client.send(.reqCurrentTime(ReqCurrentTime()))
            let seconds = Double(steps) / 4
            command(#"{"do":"delay","direction":"in","seconds":\#(seconds)}"#, on: rig)
            client.send(.reqAllOpenOrders(ReqAllOpenOrders()))
            rig.pass(.seconds(12))
            #expect(client.messages.map(\.kind) == [.currentTime, .openOrderEnd], "\(seconds) s")
            #expect(client.rejected.isEmpty)
            #expect(!client.isOutOfStep)
            #expect(client.waiting == 0)
        }
    }
}
