import Primitives
import Synchronization
import Testing

@testable import TWSClient

/// The queue between the session's loop and a reader.
@Suite struct MailboxTests {
    /// Property: held to a plain list, whatever is put, read and ended in whatever order.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func newestWinsIsAListThatForgetsItsHead(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let capacity = Int.random(in: 1...8, using: &generator)
        let mailbox = Mailbox<Int>(.newestWins(capacity: capacity)) { -$0 }
        var model: [Int] = []
        var missed = 0
        for number in 1...200 {
            if Int.random(in: 0..<3, using: &generator) > 0 {
                mailbox.put(number)
                model.append(number)
                if model.count > capacity {
                    model.removeFirst()
                    missed += 1
                }
            } else if missed > 0 {
                #expect(try await mailbox.next() == -missed)
                missed = 0
            } else if !model.isEmpty {
                #expect(try await mailbox.next() == model.removeFirst())
            }
        }
        mailbox.finish()
        mailbox.put(0)
        var remainder: [Int] = []
        while let element = try await mailbox.next() { remainder.append(element) }
        #expect(remainder == (missed > 0 ? [-missed] : []) + model)
    }

    @Test(arguments: 1...20)
    func neverDropsEndsWithAnErrorBehindEverything(capacity: Int) async throws {
        let mailbox = Mailbox<Int>(.neverDrops(capacity: capacity))
        for number in 0..<capacity + 5 { mailbox.put(number) }
        for number in 0..<capacity { #expect(try await mailbox.next() == number) }
        await #expect(throws: ClientError.overflow(capacity: capacity)) {
            try await mailbox.next()
        }
    }

    @Test func aReaderThatWaitsGetsTheNextElement() async throws {
        let mailbox = Mailbox<Int>(.neverDrops(capacity: 1))
        let reader = Task { try await mailbox.next() }
        await Task.yield()
        mailbox.put(1)
        #expect(try await reader.value == 1)
        let second = Task { try await mailbox.next() }
        mailbox.finish()
        #expect(try await second.value == nil)
    }

    @Test func aCancelledReaderReadsTheEnd() async throws {
        let mailbox = Mailbox<Int>(.neverDrops(capacity: 4))
        let reader = Task { try await mailbox.next() }
        await Task.yield()
        reader.cancel()
        #expect(try await reader.value == nil)
        // The queue is not over by that.
        mailbox.put(7)
        #expect(try await mailbox.next() == 7)
    }

    /// Eight threads put, one reads: every element once, each thread's in its order.
    @Test func elementsOfManyThreadsComeOnceAndInOrder() async throws {
        let mailbox = Mailbox<(writer: Int, number: Int)>(.neverDrops(capacity: 100_000))
        let reader = Task {
            var last = [Int](repeating: -1, count: 8)
            var count = 0
            while count < 8_000, let (writer, number) = try await mailbox.next() {
                #expect(number == last[writer] + 1)
                last[writer] = number
                count += 1
            }
            return count
        }
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<1_000 { mailbox.put((writer, number)) }
                }
            }
        }
        #expect(try await reader.value == 8_000)
    }
}
