import Primitives

/// An environment variable of an older name that means a key of today, perhaps in other terms.
struct SettingsAlias: Sendable {
    /// Its name.
    let variable: String
    /// What it says, in the terms of the key.
    let convert: @Sendable (String) -> String
}

extension SettingsAlias {
    /// A fraction as a percentage: `0.01` is `1`. What is no decimal number stays as it is, to be refused.
    static func percent(_ fraction: String) -> String {
        do throws(DecimalError) {
            return try Percent(ratio: fraction).description
        } catch {
            return fraction
        }
    }
}

extension SettingsForm {
    /// The same form for a key that an environment variable of another name means too.
    func olderName(
        _ variable: String, converting convert: @escaping @Sendable (String) -> String = { $0 }
    ) -> SettingsForm {
        var form = self
        form.alias = SettingsAlias(variable: variable, convert: convert)
        return form
    }
}

/// An environment variable as it was set, before anybody knows what it means.
struct SettingsVariable: Sendable {
    /// Its text.
    let text: String
    /// Where it was set.
    let origin: SettingsOrigin
}

/// A remark about an older name.
struct SettingsNotice: Sendable {
    /// The variable's name.
    let variable: String
    /// One line.
    let text: String
}
