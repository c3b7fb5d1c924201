import Catalog
import Primitives

/// Text on its way to a terminal.
package enum TerminalText {
    /// The text, with everything a terminal would act on or hide escaped, line ends aside.
    package static func shown(_ text: String) -> String {
        ShownText.escaped(text, keepingLines: true)
    }
}
