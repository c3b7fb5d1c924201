import Foundation
import Synchronization
import TWSProtocol
import Testing

@testable import TWSClient

/// Every order number is given once, whatever ends when.
@Suite struct OrderNumbersTests {
    /// Keeps what a file would keep, and can fail at each step.
    private final class Store: OrderNumberStore {
        let state = Mutex<(mark: Int32?, fails: Bool, isUnreadable: Bool)>((nil, false, false))

        struct Broken: Error {}

        func load() throws -> Int32? {
            try state.withLock { state in
                if state.isUnreadable { throw Broken() }
                return state.mark
            }
        }

        func save(_ mark: Int32) throws {
            try state.withLock { state in
                if state.fails { throw Broken() }
                state.mark = mark
            }
        }
    }

    private func folder() throws -> String {
        let url = FileManager.default.temporaryDirectory.appending(path: "numbers-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    @Test func aThousandBracketsAtOnceHaveNumbersOfTheirOwn() async throws {
        let numbers = OrderNumbers(store: Store())
        numbers.raise(to: 5)
        let blocks = try await withThrowingTaskGroup(of: Range<Int32>.self) { group in
            for index in 0..<1_000 {
                group.addTask {
                    let first = try numbers.block(of: 1 + index % 3).rawValue
                    return first..<first + 1 + Int32(index % 3)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let all = blocks.flatMap { Array($0) }
        // 334 of one, 333 of two and 333 of three.
        #expect(all.count == 334 + 666 + 999)
        #expect(Set(all).count == all.count)
        #expect(all.min() == 5)
        // And none left out in between.
        #expect(all.max() == 2_003)
    }

    @Test func noNumberBeforeTheGatewaySpoke() {
        let numbers = OrderNumbers(store: VolatileOrderNumbers())
        #expect(throws: ClientError.orderNumbers("the gateway has not said yet which are free")) {
            try numbers.block(of: 1)
        }
    }

    /// The gateway forgot four orders that were written to a dying connection.
    @Test func aGatewayThatGoesBackByFourChangesNothing() throws {
        let store = Store()
        let before = OrderNumbers(store: store)
        before.raise(to: 100)
        for expected in 100...103 { #expect(try before.block(of: 1).rawValue == Int32(expected)) }
        before.raise(to: 100)
        #expect(try before.block(of: 1) == 104)
        let restarted = OrderNumbers(store: store)
        restarted.raise(to: 100)
        #expect(try restarted.block(of: 1) == 105)
        restarted.raise(to: 200)
        #expect(try restarted.block(of: 1) == 200)
    }

    /// Killed behind the save and before the order: the number is spent.
    @Test func aNumberIsSpentWithItsSaving() throws {
        let store = Store()
        let numbers = OrderNumbers(store: store)
        numbers.raise(to: 1)
        _ = try numbers.block(of: 3)
        #expect(store.state.withLock { $0.mark } == 3)
        let restarted = OrderNumbers(store: store)
        restarted.raise(to: 1)
        #expect(try restarted.block(of: 1) == 4)
    }

    @Test func whatCannotBeKeptIsNotGiven() throws {
        let store = Store()
        let numbers = OrderNumbers(store: store)
        numbers.raise(to: 1)
        _ = try numbers.block(of: 1)
        store.state.withLock { $0.fails = true }
        #expect(throws: ClientError.self) { try numbers.block(of: 1) }
        store.state.withLock { $0.fails = false }
        #expect(try numbers.block(of: 1) == 2)
        let unreadable = Store()
        unreadable.state.withLock { $0.isUnreadable = true }
        let blind = OrderNumbers(store: unreadable)
        blind.raise(to: 1)
        #expect(throws: ClientError.self) { try blind.block(of: 1) }
        unreadable.state.withLock { $0 = (77, false, false) }
        #expect(try blind.block(of: 1) == 78)
    }

    /// Requests are counted from 2^30: an order there could not be told from one of them.
    @Test func numbersEndBelowThoseOfRequests() throws {
        let numbers = OrderNumbers(store: VolatileOrderNumbers())
        numbers.raise(to: APIOrderID(rawValue: Router.firstRequest - 2))
        #expect(throws: ClientError.self) { try numbers.block(of: 3) }
        #expect(try numbers.block(of: 1).rawValue == Router.firstRequest - 2)
        #expect(try numbers.block(of: 1).rawValue == Router.firstRequest - 1)
        #expect(throws: ClientError.self) { try numbers.block(of: 1) }
        numbers.raise(to: 1_700_000_000)
        #expect(throws: ClientError.self) { try numbers.block(of: 1) }
    }

    @Test(arguments: [Int32.min, -1, 0])
    func senselessNumbersOfTheGatewayAreNotUsed(next: Int32) throws {
        let numbers = OrderNumbers(store: VolatileOrderNumbers())
        numbers.raise(to: APIOrderID(rawValue: next))
        #expect(try numbers.block(of: 1) == 1)
    }

    // MARK: - The file

    @Test func theFileKeepsTheNumberOverRestarts() throws {
        let path = try folder() + "/number"
        let file = OrderNumberFile(path: path)
        #expect(try file.load() == nil)
        try file.save(41)
        try file.save(42)
        #expect(try OrderNumberFile(path: path).load() == 42)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "42\n")
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    }

    @Test(arguments: ["", "42", "42 \n", "-1\n", "abc\n", "99999999999\n", "1\n2\n", "\n"])
    func aDamagedFileStopsTheNumbers(content: String) throws {
        let path = try folder() + "/number"
        try content.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(throws: OrderNumberFile.Problem.self) { try OrderNumberFile(path: path).load() }
        let numbers = OrderNumbers(store: OrderNumberFile(path: path))
        numbers.raise(to: 1)
        do {
            _ = try numbers.block(of: 1)
            Issue.record("a number was given")
        } catch {
            // Says which file, and what to write there.
            #expect("\(error)".contains(path))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test func aFolderThatIsNotThereStopsTheNumbers() throws {
        let numbers = OrderNumbers(store: OrderNumberFile(path: try folder() + "/no/number"))
        numbers.raise(to: 1)
        #expect(throws: ClientError.self) { try numbers.block(of: 1) }
    }

    /// A place that cannot be replaced: a folder lies where the file should be.
    @Test func aFileThatCannotBeReplacedStopsTheNumbers() throws {
        let path = try folder() + "/number"
        try FileManager.default.createDirectory(
            atPath: path + "/inside", withIntermediateDirectories: true)
        #expect(throws: OrderNumberFile.Problem.self) { try OrderNumberFile(path: path).save(1) }
    }

    /// Killed while it wrote: half a new file lies beside the old one, which counts.
    @Test(arguments: ["", "4", "43\n", "garbage"])
    func aKilledWriteLeavesTheOldNumber(half: String) throws {
        let path = try folder() + "/number"
        let file = OrderNumberFile(path: path)
        try file.save(42)
        try half.write(toFile: path + ".new", atomically: false, encoding: .utf8)
        #expect(try file.load() == 42)
        try file.save(43)
        #expect(try file.load() == 43)
    }

    @Test func onlyTheOwnerMayReadTheFile() throws {
        let path = try folder() + "/number"
        try OrderNumberFile(path: path).save(1)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}
