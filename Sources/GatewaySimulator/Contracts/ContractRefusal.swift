/// Why a contract of a request is none that can be used, with a gateway's code and text.
package struct ContractRefusal: Error, Hashable, Sendable {
    /// The code of the error message.
    package let code: Int32
    /// The text of the error message.
    package let text: String

    /// A refusal with that code and text.
    package init(code: Int32, text: String) {
        self.code = code
        self.text = text
    }

    /// Nothing fits.
    package static let unknown = ContractRefusal(
        code: 200, text: "No security definition has been found for the request")

    /// More than one fits.
    ///
    /// - Parameter isDerivative: whether the contracts that fit differ in what only derivatives have.
    package static func ambiguous(_ symbol: String, isDerivative: Bool = false) -> ContractRefusal {
        let advice = isDerivative ? "; you must specify the multiplier or trading class" : ""
        return ContractRefusal(
            code: 200,
            text: "The contract description specified for \(symbol) is ambiguous\(advice).")
    }

    /// An order names no exchange.
    package static let missingOrderExchange = ContractRefusal(
        code: 421, text: "Error validating request.-'bW' : cause - Missing order exchange")

    /// The request cannot be understood.
    package static func invalid(_ cause: String) -> ContractRefusal {
        ContractRefusal(code: 321, text: "Error validating request.-'bW' : cause - \(cause)")
    }
}
