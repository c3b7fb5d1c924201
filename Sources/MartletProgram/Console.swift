import Glibc
import Runtime

/// Where a command's words go: results to standard output, everything else to standard error.
enum Console {
    /// Writes a result.
    static func print(_ text: String) {
        write(shown(text), to: STDOUT_FILENO)
    }

    /// Writes what is not a result.
    static func complain(_ text: String) {
        write(shown(text), to: STDERR_FILENO)
    }

    /// A text with its final line end. Whatever it quotes, a terminal acts on none of it.
    private static func shown(_ text: String) -> String {
        let text = TerminalText.shown(text)
        return text.hasSuffix("\n") ? text : text + "\n"
    }

    /// Whether a person sees standard error as it is written.
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether the terminal is set to show more than ASCII.
    static var showsUnicode: Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let values = names.compactMap { getenv($0).map { String(cString: $0) } }
        guard let value = values.first(where: { !$0.isEmpty }) else { return false }
        return value.lowercased().contains("utf")
    }

    /// Draws a progress bar in place.
    static func draw(_ label: String, _ done: Int, of total: Int) {
        let share = Double(done) / Double(max(total, 1))
        let filled = Int(share * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        write("\r\(label) [\(bar)] \(Int(share * 100))% ", to: STDERR_FILENO)
    }

    /// Draws a line in place.
    static func drawLine(_ text: String) { write("\r\u{1B}[2K\(text)", to: STDERR_FILENO) }

    /// Removes the progress bar.
    static func eraseProgress() { write("\r\u{1B}[2K", to: STDERR_FILENO) }

    private static func write(_ text: String, to file: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            // A reader that went away (a closed pipe) wants no more.
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }
}
