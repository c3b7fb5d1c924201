import Foundation

/// A folder of its own for a test, which removes it at the end.
package struct TemporaryFolder {
    /// Its path, with the final `/`.
    package let path: String

    /// Makes an empty folder; `name` must be the test's own.
    package init(_ name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "martlet-\(ProcessInfo.processInfo.processIdentifier)-\(name)")
        path = folder.path() + "/"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Removes the folder and what is in it.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file with its mode.
    package func write(_ text: String, to name: String, mode: Int = 0o644) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + name))
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: path + name)
    }
}
