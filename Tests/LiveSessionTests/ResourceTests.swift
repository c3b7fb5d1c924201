import GatewayTestSupport
import Model
import Primitives
import Testing

@testable import Runtime

/// Sessions that use much of the machine.
@Suite struct ResourceTests {
    private static let limits = ResourceReview.Limits(memory: 1_000 << 20, files: 1_000)

    private static func usage(memory: Int64 = 0, files: Int64 = 0) -> ResourceReview.Usage {
        ResourceReview.Usage(memory: memory << 20, files: files)
    }

    /// P2: a warning begins at 70 percent of a limit and ends below 60; at 90 percent the session ends, for good.
    @Test func warningsAndTheEndFollowThePercentages() {
        var review = ResourceReview(Self.limits)
        #expect(review.note(Self.usage(memory: 699, files: 699)).isEmpty)
        #expect(
            review.note(Self.usage(memory: 700, files: 10))
                == [ConditionReport(.memoryHigh, isPresent: true, value: 70)])
        #expect(
            review.note(Self.usage(memory: 610, files: 705))
                == [ConditionReport(.filesHigh, isPresent: true, value: 70)])
        #expect(
            review.note(Self.usage(memory: 599, files: 899))
                == [ConditionReport(.memoryHigh, isPresent: false, value: 59)])
        #expect(review.end == nil)
        #expect(review.note(Self.usage(files: 900)).isEmpty)
        #expect(review.end?.contains("900 files") == true)
        _ = review.note(Self.usage())
        #expect(review.end != nil)

        var other = ResourceReview(Self.limits)
        _ = other.note(Self.usage(memory: 900))
        #expect(other.end?.contains("900 MiB") == true)
    }

    /// P2: limits that say nothing, and any numbers, overflow nothing.
    @Test func anyNumbersAreTakenIn() {
        var review = ResourceReview(ResourceReview.Limits(memory: 0, files: .max))
        #expect(review.note(ResourceReview.Usage(memory: .max, files: 5_000)).isEmpty)
        var small = ResourceReview(ResourceReview.Limits(memory: 1, files: 1))
        #expect(small.note(ResourceReview.Usage(memory: .max, files: .max)).count == 2)
    }

    /// P2: this process uses some memory and has some files open, and the system says so.
    @Test func theSystemIsAsked() throws {
        let usage = try #require(ResourceReview.Usage.now())
        #expect(usage.memory > 1 << 20)
        #expect(usage.files >= 3)
    }

    /// P2: a session warns at 70 percent of its memory, trades on, and ends in order at 90 percent: the next one goes on.
    @Test func aSessionEndsInOrderBeforeItsMemoryDoes() throws {
        let rig = try SessionRig(
            SessionRig.rotation + "\nsystem: {memory_limit_mb: 1000}", keepsHistory: true)
        try rig.pass(.minutes(12))
        rig.driver.note(Self.usage(memory: 750, files: 5))
        try rig.pass(.minutes(1))
        let warning = try #require(rig.began(.memoryHigh).first)
        #expect(warning.kind.severity == .warning)
        #expect(warning.figures[.value]?.amount == 75)
        #expect(rig.driver.takeAlarms().contains { $0.text.contains("(75 percent)") })
        let fills = rig.driver.fillCount
        try rig.pass(until: "further fills") { rig.driver.fillCount > fills }

        rig.driver.note(Self.usage(memory: 905, files: 5))
        #expect {
            try rig.pass(.seconds(2))
        } throws: { error in
            guard case .resources(let words)? = error as? RunFailure else { return false }
            return words.contains("905 MiB") && words.contains("memory_limit_mb")
        }
        #expect(!rig.history.isBehind, "everything is in the journal")
        try rig.crash()
        try rig.pass(.minutes(1))
        #expect(rig.driver.recovery?.contains("answered as before") == true)
        try rig.expectEqualLedgers()
    }
}
