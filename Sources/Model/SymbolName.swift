import Primitives

/// The rule for the names of instruments, wherever they are from: settings, file names, columns.
package enum SymbolName {
    /// The most characters.
    package static let lengthMax = 32
    /// The rule in words.
    package static let rule = "a symbol of 1 to \(lengthMax) characters without spaces"

    /// Whether a text is a symbol: also without control and formatting characters.
    package static func isAllowed(_ text: String) -> Bool {
        (1...lengthMax).contains(text.count) && !text.contains(where: \.isWhitespace)
            && ShownText.escaped(text) == text
    }
}
