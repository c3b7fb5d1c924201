import Foundation
import Primitives
import Testing

@Suite struct NaturalTests {
    /// How many units in the last place two results are apart; 0 when equal or both NaN.
    private func unitsApart(_ left: Double, _ right: Double) -> Double {
        guard left != right, !(left.isNaN && right.isNaN) else { return 0 }
        return abs(left - right) / right.ulp
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func expIsWithinTwoUnitsOfFoundation(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var worst = (0.0, 0.0)
        for _ in 0..<20_000 {
            for limit in [1e-9, 1e-3, 0.35, 1, 30, 745] {
                let x = (generator.nextUniform() * 2 - 1) * limit
                let apart = unitsApart(Natural.exp(x), exp(x))
                if apart > worst.0 { worst = (apart, x) }
            }
        }
        #expect(worst.0 <= 2, "at \(worst.1)")
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func logIsWithinTwoUnitsOfFoundation(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var worst = (0.0, 0.0)
        for _ in 0..<20_000 {
            let uniform = generator.nextUniform()
            let anyPositive = Double(bitPattern: generator.next() >> 1)
            for x in [
                uniform, 1 + uniform * 1e-3, 1 - uniform * 1e-3, 1 + (uniform - 0.5) * 1e-12,
                0.5 + uniform * 1.5, uniform * 1e6, anyPositive,
            ] where x.isFinite && x > 0 {
                let apart = unitsApart(Natural.log(x), log(x))
                if apart > worst.0 { worst = (apart, x) }
            }
        }
        #expect(worst.0 <= 2, "at \(worst.1)")
    }

    @Test func specialValuesAreExact() {
        #expect(Natural.exp(0) == 1)
        #expect(Natural.exp(-0.0) == 1)
        #expect(Natural.exp(.infinity) == .infinity)
        #expect(Natural.exp(-.infinity) == 0)
        #expect(Natural.exp(.nan).isNaN)
        #expect(Natural.exp(710) == .infinity)
        #expect(Natural.exp(-746) == 0)
        #expect(Natural.exp(.greatestFiniteMagnitude) == .infinity)
        #expect(Natural.exp(.leastNonzeroMagnitude) == 1)
        #expect(Natural.log(1) == 0)
        #expect(Natural.log(0) == -.infinity)
        #expect(Natural.log(-0.0) == -.infinity)
        #expect(Natural.log(.infinity) == .infinity)
        #expect(Natural.log(-1).isNaN)
        #expect(Natural.log(-.infinity).isNaN)
        #expect(Natural.log(.nan).isNaN)
    }

    @Test func theEndsOfTheRangeAreRight() {
        // The last finite result, the smallest one, and the smallest argument of the logarithm.
        #expect(unitsApart(Natural.exp(709.78), exp(709.78)) <= 2)
        #expect(Natural.exp(-745) == .leastNonzeroMagnitude)
        #expect(unitsApart(Natural.log(.leastNonzeroMagnitude), -744.4400719213812) <= 2)
        #expect(unitsApart(Natural.log(.greatestFiniteMagnitude), 709.782712893384) <= 2)
        #expect(unitsApart(Natural.log(2), 0.6931471805599453) <= 1)
        #expect(unitsApart(Natural.exp(1), 2.718281828459045) <= 1)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func expUndoesLog(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let x = generator.nextUniform() * 100 + 0.01
            // An error of two units in log(x) is one of |log(x)| times as much in x.
            #expect(abs(Natural.exp(Natural.log(x)) / x - 1) < 1e-14)
        }
    }
}
