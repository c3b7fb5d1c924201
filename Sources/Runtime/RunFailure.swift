package import Catalog
package import Configuration

/// Why a command ended without doing what was asked.
package enum RunFailure: Error, Sendable {
    /// The configuration has these problems.
    case settings(SettingsProblems)
    /// Data is missing or failed its check.
    case data(DataError)
    /// A file or folder could not be read or written; the text says which, why and what to do.
    case file(String)
    /// The gateway cannot be reached, refused, or did not answer; the text says why and what to do.
    case gateway(String)
    /// The account, the mode or the gateway's settings do not permit it; the text says what to change.
    case notPermitted(String)
    /// What was asked for does not exist or does not fit; the text says what there is.
    case usage(String)
    /// The machine has not enough of something; the text says of what.
    case resources(String)
    /// A second engine answered otherwise; the text says to what, and how.
    case verification(String)
    /// The program contradicts itself: a defect to report.
    case defect(String)

    /// The status the process ends with.
    package var exitCode: ExitCode {
        switch self {
        case .settings: .configuration
        case .data: .data
        case .file, .resources, .defect: .unexpected
        case .gateway: .gateway
        case .notPermitted: .notPermitted
        case .usage: .usage
        case .verification: .verification
        }
    }
}

extension RunFailure: CustomStringConvertible {
    /// What happened, where, and what to do: at most one screen.
    package var description: String {
        switch self {
        case .settings(let problems): problems.description
        case .data(let error): error.description
        case .file(let text), .gateway(let text), .notPermitted(let text), .usage(let text),
            .resources(let text):
            text
        case .verification(let text):
            "The run was not answered alike: \(text). Do not rely on its figures; nothing was written. Either a "
                + "strategy depends on more than what it is shown (a clock, a random source, a file, "
                + "memory that its copies share), or the program has a defect: then please report it "
                + "with the configuration and the program's version."
        case .defect(let text):
            "\(text). This is a defect of the program: nothing was written. Please report it with "
                + "the configuration and the program's version."
        }
    }
}
