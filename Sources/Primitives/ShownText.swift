/// Text from outside as a terminal may show it.
package enum ShownText {
    /// The text with every character that a terminal would act on or that hides others, control characters and
    /// formatting ones such as a change of direction, written as `\u001B`.
    ///
    /// - Parameter keepingLines: whether line feeds and tabs stay as they are.
    package static func escaped(_ text: some StringProtocol, keepingLines: Bool = false) -> String {
        let kept: [UInt8] = keepingLines ? [0x09, 0x0A] : []
        guard text.utf8.contains(where: { !(0x20..<0x7F).contains($0) && !kept.contains($0) })
        else { return String(text) }
        var shown = ""
        for scalar in text.unicodeScalars {
            let isKept = keepingLines && (scalar == "\n" || scalar == "\t")
            if isKept || !isHidden(scalar) {
                shown.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: true)
                    shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return shown
    }

    fileprivate static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}

extension String {
    /// This text on one line of bounded length, safe to show on a terminal.
    package var printable: String { printable(lengthMax: 60) }

    /// The same for a path, whose end says most.
    package var printablePath: String { printable(lengthMax: 250) }

    private func printable(lengthMax: Int) -> String {
        let safe = unicodeScalars.prefix(lengthMax).map {
            ShownText.isHidden($0) ? "\u{FFFD}" : String($0)
        }
        return safe.joined() + (unicodeScalars.count > lengthMax ? "…" : "")
    }
}
