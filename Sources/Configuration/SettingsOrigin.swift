import Primitives

/// Where a part of the configuration was written.
package struct SettingsOrigin: Hashable, Sendable {
    /// In which layer.
    package let source: Source
    /// The place in a file; `nil` where the whole file is meant, and outside files.
    package let location: Location?

    /// A layer of the configuration.
    package enum Source: Hashable, Sendable {
        /// A file by its path as it was given; `-` is standard input.
        case file(String)
        /// The file of secrets by its path; nothing from it is ever shown.
        case secretsFile(String)
        /// A file of environment variables by its path.
        case environmentFile(String)
        /// An environment variable by its name.
        case environment(String)
        /// A command line flag, with the key where the flag alone does not say it: `--set risk.limits`.
        case flag(String)

        /// Where a key and its older name are both given, the higher layer counts.
        var rank: Int {
            switch self {
            case .file, .secretsFile: 0
            case .environmentFile: 1
            case .environment: 2
            case .flag: 3
            }
        }

        /// Whether a secret may be written here: not where it is passed on with the configuration, and
        /// not in a command line, which every user of the machine can see.
        var mayHoldSecrets: Bool {
            switch self {
            case .secretsFile, .environmentFile, .environment: true
            case .file, .flag: false
            }
        }

        /// Whether what is written here is shown in messages.
        var isShown: Bool {
            switch self {
            case .secretsFile: false
            case .file, .environmentFile, .environment, .flag: true
            }
        }
    }

    /// A place in a file; both count from 1, columns in Unicode scalars.
    package struct Location: Hashable, Comparable, Sendable {
        /// The line.
        package let line: Int
        /// The column in the line.
        package let column: Int

        /// Orders as one reads.
        package static func < (left: Location, right: Location) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// A place in a layer.
    package init(_ source: Source, at location: Location? = nil) {
        self.source = source
        self.location = location
    }

    /// The folder that relative paths written here start from, with its final `/`; empty is the
    /// working directory.
    var folder: String {
        switch source {
        case .file(let path), .secretsFile(let path), .environmentFile(let path):
            Self.folder(ofFile: path)
        case .environment, .flag: ""
        }
    }

    /// The folder of a file, with its final `/`; empty is the working directory.
    static func folder(ofFile path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}

extension SettingsOrigin: CustomStringConvertible {
    /// `config.yaml:12:7`, `environment MARTLET__RISK__LIMITS`, `flag --set risk.limits`.
    package var description: String {
        switch source {
        case .file(let path), .secretsFile(let path), .environmentFile(let path):
            (path == "-" ? "standard input" : path.printablePath)
                + (location.map { ":\($0.line):\($0.column)" } ?? "")
        case .environment(let name): "environment \(name.printable)"
        case .flag(let text): "flag \(text.printable)"
        }
    }
}
