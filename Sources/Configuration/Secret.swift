/// A word that opens something: it is used, never shown.
///
/// Every way of turning it into text gives `***`: interpolation, `dump`, a debugger's view.
package struct Secret: Hashable, Sendable {
    /// The word itself, for whoever has to send it.
    package let revealed: String

    /// What stands for a secret wherever it is shown.
    static let mask = "***"

    /// A secret.
    init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `***`.
    package var description: String { Self.mask }
    /// `***`.
    package var debugDescription: String { Self.mask }
    /// Nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SettingsForm<Secret> {
    /// A secret: text without control characters, taken as it stands. The name of its key must be that
    /// of a secret; see `SecretName`.
    static var secret: SettingsForm {
        let text = SettingsForm<String>.text("text")
        return SettingsForm(
            domain: .secret, standIn: Secret(""),
            read: { text.read($0).map(Secret.init) },
            write: { "\"\($0)\"" })
    }
}

/// Recognises by its name a key that holds a secret, wherever the key is written.
enum SecretName {
    /// Whether a key of that name holds a secret.
    static func matches(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
        return endings.contains { plain.hasSuffix($0) }
    }

    /// Where secrets belong, as a sentence.
    static let remedy =
        "Secrets come only from the environment or from the file that system.secrets_file names."

    private static let endings = [
        "password", "passwd", "passphrase", "pwd", "secret", "token", "credentials", "apikey",
        "accesskey", "privatekey", "secretkey",
    ]
}
