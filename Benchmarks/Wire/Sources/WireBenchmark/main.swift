// W6: messages of server version 178 from bytes in memory, ns a message, least of the rounds: cut into
// frames from reads of 16 KiB and decoded to values; one order encoded.
//
//     WireBenchmark MESSAGES [SECONDS]
//
// MESSAGES is Benchmarks/Peers/limits/w6_messages.txt. The last line is JSON as
// Benchmarks/Peers/compare.py reads it. Ends with 1 when a message does not hold what it should.
import Foundation
import TWSProtocol

let arguments = Array(CommandLine.arguments.dropFirst())
guard let path = arguments.first, let seconds = Double(arguments.dropFirst().first ?? "2") else {
    print("WireBenchmark MESSAGES [SECONDS]")
    exit(2)
}
guard let version = ServerVersion(178) else { exit(1) }
let codec = TextCodec(version: version)

/// The least process time of one call of `body`, in ns for each of `messages`.
func least(_ messages: Int, _ body: () -> Void) -> Double {
    let end = ContinuousClock.now + .seconds(seconds)
    var least = Double.infinity
    repeat {
        let start = clock()
        body()
        least = min(least, Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e9)
    } while ContinuousClock.now < end
    return least / Double(messages)
}

/// One frame of the fields of a line.
func frame(_ fields: [Substring]) -> [UInt8] {
    var payload: [UInt8] = []
    for field in fields {
        payload += field.utf8
        payload.append(0)
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: payload.count >> (24 - 8 * $0)) } + payload
}

let price: DecimalValue = 187.25

/// What a decoded message holds, so that none is left out and a wrong one shows.
func mark(_ message: GatewayMessage) -> Int {
    switch message {
    case .tickPrice(let tick): tick.price == price && tick.size == 300 ? 1 : 0
    case .orderStatus(let status): status.remaining == 100 ? 1 : 0
    case .openOrder(let open):
        open.contract.conId == 265_598 && open.order.lmtPrice == price && open.order.minQty == nil
            ? 1 : 0
    case .historicalData(let history): history.bars.count
    default: 0
    }
}

var perMessage: [(name: String, ns: Double)] = []
var isRight = true
for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
    var fields = line.split(separator: "|", omittingEmptySubsequences: false)
    let name = String(fields.removeFirst())
    let count = name == "historicalData" ? 20 : name == "openOrder" ? 2_000 : 20_000
    let one = frame(fields)
    let stream = [UInt8]((0..<count).map { _ in one }.joined())
    let reads = stride(from: 0, to: stream.count, by: 16_384).map { start in
        Array(stream[start..<min(start + 16_384, stream.count)])
    }
    var total = 0
    func decode() {
        var frames = FrameReader()
        total = 0
        for read in reads {
            read.withUnsafeBytes { frames.append($0) }
            do {
                while let part = try frames.next({ payload -> Int in
                    do {
                        return mark(try codec.decode(fromGateway: payload).message)
                    } catch {
                        print(error)
                        return 0
                    }
                }) { total += part }
            } catch {
                print(error)
            }
        }
    }
    let ns = least(count, decode)
    isRight = isRight && total == (name == "historicalData" ? count * 1_000 : count)
    perMessage.append((name, ns))
}

var order = Order()
order.action = .buy
order.orderType = .limit
order.totalQuantity = 100
order.lmtPrice = 187.25
order.tif = .day
order.account = "DU1234567"
var contract = Contract.stock("AAPL")
contract.conId = 265_598
var bytes: [UInt8] = []
var message = PlaceOrder(0, contract, order)
let orders = 2_000
perMessage.append(
    (
        "placeOrder",
        least(orders) {
            for number in 0..<orders {
                bytes.removeAll(keepingCapacity: true)
                message.orderId = APIOrderID(rawValue: Int32(number))
                do {
                    try codec.encode(&message, into: &bytes)
                } catch {
                    print(error)
                }
            }
        }
    ))
isRight = isRight && bytes.count > 200
print("placeOrder has \(bytes.count) bytes")

let figures = perMessage.map { String(format: "\"%@\":%.1f", $0.name, $0.ns) }
let rates = perMessage.map { String(format: "\"%@\":%.0f", $0.name, 1e9 / $0.ns) }
print(
    "{\"peer\":\"martlet\",\"server_version\":178,\"agrees\":\(isRight),"
        + "\"per_msg\":{\(figures.joined(separator: ","))},"
        + "\"per_second\":{\(rates.joined(separator: ","))}}")
exit(isRight ? 0 : 1)
