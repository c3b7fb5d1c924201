/// A figure drawn from a stream of prices or bars, kept up to date in constant memory.
///
/// Every indicator is a value: a copy goes its own way from where it was made. Those of this module are
/// `Codable`, so that a strategy that holds them can be saved. Results that are
/// prices are in price units (`Price.units`); percentages run to 100. What is undefined is `nil`,
/// during warm-up and wherever the type says so; no result is ever NaN or infinite.
public protocol Indicator: Sendable {
    /// What goes in: `Price`, or `Bar` where the range or the volume matters.
    associatedtype Input
    /// What comes out.
    associatedtype Output

    /// The newest result, once there is one.
    var value: Output? { get }

    /// Takes in the next price or bar; the new `value`.
    @discardableResult
    mutating func update(_ input: Input) -> Output?
}

extension Indicator {
    /// The results of all `inputs` in turn: as many as there are inputs, `nil` where there is none.
    ///
    /// For research over history. The indicator itself stays as it is: a copy takes the inputs in.
    public func over(_ inputs: [Input]) -> [Output?] {
        var indicator = self
        return inputs.map { indicator.update($0) }
    }
}
