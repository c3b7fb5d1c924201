import MarketState
import Primitives

extension StrategyTemplate {
    /// What the package consists of: paths within it, and texts.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest), (".gitignore", ".build/\nresults/\n"),
            ("README.md", readme), ("Sources/\(name.type)/\(name.type).swift", strategy),
            ("Sources/Run/main.swift", program),
            ("Tests/\(name.type)Tests/\(name.type)Tests.swift", test),
            ("backtest.yaml", configuration), ("Data/SAMPLE.csv", Self.sampleData),
        ]
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name.program)",
            dependencies: [\(dependency.declaration)],
            targets: [
                .target(
                    name: "\(name.type)",
                    dependencies: [
                        .product(name: "MartletStrategy", package: "\(dependency.identity)")
                    ]),
                .executableTarget(
                    name: "\(name.program)",
                    dependencies: [
                        "\(name.type)", .product(name: "MartletProgram", package: "\(dependency.identity)"),
                    ],
                    path: "Sources/Run"),
                .testTarget(name: "\(name.type)Tests", dependencies: ["\(name.type)"]),
            ]
        )

        """
    }

    private var strategy: String {
        """
        import Model
        import Primitives
        import Signals

        /// Buys after a bar that fell by more than a threshold, sells after the next that rose.
        ///
        /// Codable: its properties are saved between sessions, so that it does not have to warm up again.
        public struct \(name.type): Strategy, Codable {
            static let threshold = Parameter.number(
                "threshold_pct", in: 0...50, default: 1, unit: "percent", "how far a bar must fall")

            public static let declaration = StrategyDeclaration(
                name: "\(name.key)", summary: "buys after a bar that fell, sells after one that rose",
                parameters: [threshold.declaration])

            private let factor: Double

            public init(_ setup: StrategySetup) {
                factor = 1 - setup.parameters[Self.threshold] / 100
            }

            public mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
                if Double(bar.close.units) < Double(bar.open.units) * factor {
                    context.enter(.buy, bar.instrument, because: "the bar fell")
                } else if bar.close > bar.open {
                    context.exit(bar.instrument, because: "the bar rose")
                }
            }
        }

        """
    }

    private var program: String {
        """
        import MartletProgram
        import \(name.type)

        // The whole martlet program, with this strategy beside the bundled ones.
        MartletMain.run(strategies: [\(name.type).self])

        """
    }

    private var test: String {
        """
        import \(name.type)
        import Model
        import Primitives
        import Signals
        import Testing

        @Suite struct \(name.type)Tests {
            private let instruments = [Instrument(id: InstrumentID(index: 0), symbol: "TEST")]

            /// One-minute bars from open to close, in cents.
            private func bars(_ prices: [(open: Int64, close: Int64)]) -> [Bar] {
                prices.enumerated().map { place, price in
                    let (open, close) = (Price(cents: price.open), Price(cents: price.close))
                    return Bar(
                        instrument: instruments[0].id, start: Timestamp(seconds: 60 * Int64(place)),
                        barSize: .minutes(1), open: open, high: max(open, close), low: min(open, close),
                        close: close, volume: Quantity(shares: 1_000))
                }
            }

            @Test func buysAFallBeyondTheThresholdAndSellsARise() {
                let parameters = Parameters(defaultsOf: \(name.type).declaration.parameters)
                let setup = StrategySetup(instruments: instruments, parameters: parameters)
                var rehearsal = Rehearsal(\(name.type)(setup), instruments: instruments)
                // One percent is not beyond one percent.
                for bar in bars([(100_00, 99_00), (100_00, 98_99), (98_99, 98_99), (98_99, 99_00)]) {
                    rehearsal.show([bar])
                }
                let goals = rehearsal.intents.map(\\.goal)
                #expect(goals == [.enter(.buy), .exit])
            }
        }

        """
    }

    private var configuration: String {
        """
        # swift run \(name.program) backtest --config backtest.yaml
        account:
          type: margin
          starting_capital: 100000
        strategies:
          - use: \(name.key)
            parameters: {threshold_pct: 1}
            sizing: {method: percent_of_equity, equity_pct: 50}
        backtest:
          data: {path: Data, basis: split}

        """
    }

    private var readme: String {
        """
        # \(name.type)

        A trading strategy for Martlet.

            swift test
            swift run \(name.program) backtest --config backtest.yaml
            swift run \(name.program) strategy show \(name.key)

        `\(name.program)` is the whole `martlet` program with this strategy beside the bundled ones.
        The strategy is `Codable`, so its properties are saved between sessions; a set among them would be refused,
        and it would warm up again.
        `Data/SAMPLE.csv` holds invented prices: put files of your own there, one a symbol.

        """
    }

    /// A random walk over the sessions of 2023, in whole cents; the same on every machine.
    static var sampleData: String {
        var generator = SeededGenerator(seed: 1)
        func draw(_ reach: Double) -> Int64 {
            Int64(((generator.nextUniform() * 2 - 1) * reach).rounded())
        }
        guard let first = Day("2023-01-01"), let last = Day("2023-12-31") else { return "" }
        var lines = ["date,open,high,low,close,volume"]
        var close: Int64 = 100_00
        for session in SessionCalendar.newYork.sessions(in: first...last) {
            let open = close + draw(40)
            close = max(10_00, open + draw(250))
            let high = max(open, close) + abs(draw(60))
            let low = min(open, close) - abs(draw(60))
            let prices = [open, high, low, close].map { "\(Price(cents: $0))" }
            let volume = 1_000_000 + draw(300_000)
            lines.append("\(session.day),\(prices.joined(separator: ",")),\(volume)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
