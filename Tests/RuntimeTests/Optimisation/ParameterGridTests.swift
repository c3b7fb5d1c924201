import Testing

@testable import Runtime

@Suite struct ParameterGridTests {
    @Test func everyCombinationComesOnceTheLastAxisFastest() throws {
        let grid = try ParameterGrid(["fast=5,10", "slow=20:40:10"])
        #expect(grid.count == 6)
        #expect(
            (0..<6).map(grid.values) == [
                ["5", "20"], ["5", "30"], ["5", "40"], ["10", "20"], ["10", "30"], ["10", "40"],
            ])
    }

    @Test func stepsAreDecimal() throws {
        let grid = try ParameterGrid(["risk.max_leverage=0.1:0.5:0.1"])
        #expect(grid.axes[0].values == ["0.1", "0.2", "0.3", "0.4", "0.5"])
        #expect(grid.axes[0].path == "risk.max_leverage")
        // What the last step would pass is left out.
        #expect(try ParameterGrid(["x=1:6:2"]).axes[0].values == ["1", "3", "5"])
    }

    @Test func aNameWithoutDotIsAParameterOfTheFirstStrategy() throws {
        #expect(try ParameterGrid(["fast=1,2"]).axes[0].path == "strategies.0.parameters.fast")
    }

    @Test(arguments: [
        "fast", "fast=", "=5", "fast=5,,6", "fast=5,5", "fast=10:5:1", "fast=5:10:0",
        "fast=5:x:1", "fast=0:100000:1", "fast=0:99999999999:0.00000001",
    ])
    func nonsenseIsRefusedWithItsText(text: String) {
        #expect {
            try ParameterGrid([text])
        } throws: { error in
            guard case .usage(let message)? = error as? RunFailure else { return false }
            return message.contains(text)
        }
    }

    @Test func tooManyCombinationsAndRepeatedAxesAreRefused() {
        #expect(throws: RunFailure.self) { try ParameterGrid(["a=1:400:1", "b=1:400:1"]) }
        #expect(throws: RunFailure.self) {
            try ParameterGrid(["fast=1,2", "strategies.0.parameters.fast=3"])
        }
    }
}
