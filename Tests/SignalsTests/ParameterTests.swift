import Signals
import Testing

@Suite struct ParameterTests {
    private enum Mode: String, CaseIterable, Sendable {
        case calm
        case wild
    }

    private static let bars = Parameter.integer(
        "bars", in: 1...100, default: 20, unit: "bars", "how many bars")
    private static let share = Parameter.number(
        "share", in: 0.5...2, default: 1, unit: "percent", "how much")
    private static let mode = Parameter.choice("mode", default: Mode.calm, "how")

    private var parameters: Parameters {
        Parameters(defaultsOf: [
            Self.bars.declaration, Self.share.declaration, Self.mode.declaration,
        ])
    }

    @Test func defaultsHoldUntilSomethingIsSet() {
        #expect(parameters[Self.bars] == 20)
        #expect(parameters[Self.share] == 1)
        #expect(parameters[Self.mode] == .calm)
    }

    @Test func valuesWithinTheirRangeAreTaken() throws {
        var parameters = parameters
        try parameters.set("bars", to: .integer(1))
        #expect(parameters[Self.bars] == 1)
        try parameters.set("bars", to: .integer(100))
        #expect(parameters[Self.bars] == 100)
        try parameters.set("share", to: .number(0.5))
        #expect(parameters[Self.share] == 0.5)
        try parameters.set("mode", to: .choice("wild"))
        #expect(parameters[Self.mode] == .wild)
    }

    @Test func wholeNumberIsANumberToo() throws {
        var parameters = parameters
        try parameters.set("share", to: .integer(2))
        #expect(parameters[Self.share] == 2)
    }

    @Test(
        arguments: [
            ("bars", .integer(0), "1 to 100"), ("bars", .integer(101), "1 to 100"),
            ("bars", .number(5), "1 to 100"), ("bars", .choice("5"), "1 to 100"),
            ("share", .number(0.49), "0.5 to 2.0"), ("share", .number(.nan), "0.5 to 2.0"),
            ("share", .number(.infinity), "0.5 to 2.0"), ("share", .integer(3), "0.5 to 2.0"),
            ("share", .choice("1"), "0.5 to 2.0"), ("mode", .choice("Calm"), "calm or wild"),
            ("mode", .integer(0), "calm or wild"),
        ] as [(String, ParameterValue, String)])
    func valuesOutOfRangeOrOfAnotherTypeAreRefused(
        name: String, value: ParameterValue, allowed: String
    ) {
        var parameters = parameters
        let before = parameters
        #expect(throws: ParameterError.notAllowed(name, found: "\(value)", allowed: allowed)) {
            try parameters.set(name, to: value)
        }
        #expect(parameters == before)
    }

    @Test func unknownNamesAreRefusedWithTheKnownOnes() {
        var parameters = parameters
        #expect(throws: ParameterError.unknown("bar", known: ["bars", "share", "mode"])) {
            try parameters.set("bar", to: .integer(5))
        }
    }

    @Test func allListsValuesInTheOrderOfTheirDeclaration() throws {
        var parameters = parameters
        try parameters.set("mode", to: .choice("wild"))
        #expect(parameters.all.map(\.declaration.name) == ["bars", "share", "mode"])
        #expect(parameters.all.map(\.value) == [.integer(20), .number(1), .choice("wild")])
        #expect(parameters.all.map(\.value.description) == ["20", "1.0", "wild"])
    }

    @Test func declarationsStateWhatIsAllowed() {
        #expect(Self.bars.declaration.allowed == "1 to 100")
        #expect(Self.share.declaration.allowed == "0.5 to 2.0")
        #expect(Self.mode.declaration.allowed == "calm or wild")
        #expect(Self.bars.declaration.unit == "bars")
        #expect(Self.mode.declaration.unit == nil)
    }

    /// A default that is out of its own range would be a trap for whoever names the default.
    @Test func defaultsAreAllowed() {
        for declaration in [
            Self.bars.declaration, Self.share.declaration, Self.mode.declaration,
        ] {
            #expect(declaration.allows(declaration.defaultValue))
        }
    }
}
