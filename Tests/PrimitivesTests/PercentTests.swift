import Primitives
import Testing

@Suite struct PercentTests {
    @Test func threeNotationsOfOneShare() throws {
        let percent = try Percent("12.5")
        #expect(try Percent(basisPoints: "1250") == percent)
        #expect(try Percent(ratio: "0.125") == percent)
        #expect(percent.units == 12_500_000)
        #expect(percent.description == "12.5")
        #expect(percent.basisPoints == "1250")
        #expect(percent.ratio == "0.125")
    }

    @Test func whatIsNotExactIsRefused() throws {
        #expect(throws: DecimalError.tooPrecise("0.0000001", digitsMax: 6)) {
            try Percent("0.0000001")
        }
        #expect(throws: DecimalError.tooPrecise("0.00001", digitsMax: 4)) {
            try Percent(basisPoints: "0.00001")
        }
        #expect(throws: DecimalError.tooPrecise("0.000000001", digitsMax: 8)) {
            try Percent(ratio: "0.000000001")
        }
        #expect(throws: DecimalError.notANumber("10%")) { try Percent("10%") }
    }
}
