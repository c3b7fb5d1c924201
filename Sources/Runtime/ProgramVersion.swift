/// The program's version, as `--version` and manifests show it.
package enum ProgramVersion {
    /// Semantic versioning.
    package static let current = "0.1.0"
}
