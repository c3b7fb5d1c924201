import Model
import Primitives
import Testing

@testable import Runtime

/// What follows from several streams together.
@Suite struct DataReviewTests {
    /// N9: prices of several symbols that stay off make the connection anew once, and again with pauses that grow to an
    /// hour; those of one symbol do not, nor those that are near again in time.
    @Test func theConnectionIsMadeAnewWithPauses() {
        var review = RenewalReview()
        let start = Timestamp(seconds: 1_000_000)
        func renewals(_ count: Int, from first: Int64, to last: Int64) -> [Int64] {
            (first..<last).filter { review.isDue(count, at: start + .seconds($0)) }
        }
        #expect(renewals(1, from: 0, to: 600).isEmpty)
        #expect(renewals(2, from: 600, to: 675).isEmpty)
        #expect(renewals(1, from: 675, to: 676).isEmpty)
        // 75 seconds from 676 on, then 10, 20, 40, 60 and 60 minutes.
        #expect(
            renewals(2, from: 676, to: 13_000)
                == [751, 1_351, 2_551, 4_951, 8_551, 12_151])
        #expect(renewals(0, from: 13_000, to: 16_000).isEmpty)
        #expect(renewals(3, from: 16_000, to: 16_700) == [16_075, 16_675])
    }

    /// A condition that several sources report holds while any of them says so.
    @Test func aConditionHoldsWhileAnySourceReportsIt() {
        var union = ConditionUnion()
        let one = InstrumentID(index: 0)
        func report(_ isPresent: Bool, value: Int64 = 0) -> ConditionReport {
            ConditionReport(.dataMissing, isPresent: isPresent, of: one, value: value)
        }
        #expect(union.take([report(true)], from: 0) == [report(true)])
        // The same source with another code.
        #expect(union.take([report(true, value: 354)], from: 0) == [report(true, value: 354)])
        #expect(union.take([report(true)], from: 1).isEmpty)
        #expect(union.take([report(false)], from: 0).isEmpty)
        #expect(union.take([report(false)], from: 1) == [report(false)])
        let other = ConditionReport(
            .dataMissing, isPresent: true, of: InstrumentID(index: 1))
        #expect(union.take([report(true)], from: 1) == [report(true)])
        #expect(union.take([other], from: 0) == [other])
    }
}
