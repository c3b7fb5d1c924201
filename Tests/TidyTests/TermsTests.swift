import Testing

/// What a strategy's author cannot say: terms that no exchange takes. Runs the compiler on a few lines of
/// somebody else's.
@Suite struct TermsTests {
    private static func strategy(using terms: String) -> String {
        """
        import Model
        import Primitives
        import Signals

        func trade(_ context: inout StrategyContext, at price: Price, until end: Timestamp) {
            context.enter(.buy, InstrumentID(index: 0), using: \(terms), because: "it is time")
        }

        """
    }

    @Test func everyBuilderCompiles() throws {
        let terms = [
            ".market", ".marketNow", ".limit(price)", ".limit(price, for: .immediateOrCancel)",
            ".limit(price, for: .goodTillDate(end), in: .extended)", ".stop(price, for: .day)",
            ".stopLimit(stop: price, limit: price, in: .regular)",
            ".trailingStop(by: .percent(Percent(5)), for: .goodTillCancelled)", ".marketOnOpen",
            ".limitOnOpen(price)", ".marketOnClose", ".limitOnClose(price)",
        ]
        let text = terms.map { Self.strategy(using: $0) }.joined()
        // One file: each function's name may be used again for other types only.
        let named = text.split(separator: "func trade").enumerated()
            .map { $0 == 0 ? "\($1)" : "func trade\($0)\($1)" }.joined()
        let result = try Compiler.check(named, by: .somebodyElse)
        #expect(result.isAccepted, "\(result.messages)")
    }

    @Test(arguments: [
        // A stop waits by its nature.
        (".stop(price, for: .immediateOrCancel)", "has no member 'immediateOrCancel'"),
        (
            ".stopLimit(stop: price, limit: price, for: .immediateOrCancel)",
            "has no member 'immediateOrCancel'"
        ),
        (
            ".trailingStop(by: .amount(price), for: .immediateOrCancel)",
            "has no member 'immediateOrCancel'"
        ),
        // An auction is held once, in regular hours.
        (".limitOnOpen(price, for: .goodTillCancelled)", "extra argument 'for' in call"),
        (".limitOnClose(price, in: .extended)", "extra argument 'in' in call"),
        // What has no price of its own takes no terms.
        (".marketOnOpen(price)", "cannot call value of non-function type 'OrderTerms'"),
        (".market(in: .extended)", "cannot call value of non-function type 'OrderTerms'"),
        (".stop()", "missing argument"),
        // Nobody makes terms from parts; the one initializer there is reads saved ones, and checks them.
        ("OrderTerms(.stop(price), .immediateOrCancel, nil)", "extra arguments at positions"),
        ("OrderTerms(type: .stop(price), timeInForce: .day)", "extra arguments at positions"),
    ])
    func senselessTermsDoNotCompile(terms: String, message: String) throws {
        let result = try Compiler.check(Self.strategy(using: terms), by: .somebodyElse)
        #expect(!result.isAccepted)
        #expect(result.messages.contains(message), "\(result.messages)")
    }
}
