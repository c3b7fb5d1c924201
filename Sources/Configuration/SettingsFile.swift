import Foundation
import Glibc

/// The content of a file, and whether it is for its owner's eyes only.
struct SettingsFile {
    /// At most one more than a document may have, so that an endless file ends.
    let bytes: [UInt8]
    /// Whether it is a plain file of the user who runs this, which nobody else may read or change
    /// (mode 0600).
    let isPrivate: Bool

    /// Reads a file; `-` is standard input. Throws why it cannot be read, in words.
    init(_ path: String) throws(Unreadable) {
        do {
            let file =
                path == "-"
                ? FileHandle.standardInput
                : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // Of the opened file: what has that name may be another one a moment later.
            var status = stat()
            isPrivate =
                fstat(file.fileDescriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                && status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
            var bytes: [UInt8] = []
            let byteCountMax = SettingsParser.byteCountMax
            while bytes.count <= byteCountMax,
                let part = try file.read(upToCount: byteCountMax + 1 - bytes.count),
                !part.isEmpty
            { bytes += part }
            self.bytes = bytes
        } catch {
            throw Unreadable(reason: Self.reason(whyUnreadable: path))
        }
    }

    /// Why a file cannot be read.
    struct Unreadable: Error {
        /// In words.
        let reason: String
    }

    /// Whether there is something at `path` that is no folder.
    static func exists(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// Foundation's own words are often no more than a number.
    private static func reason(whyUnreadable path: String) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return "there is no such file"
        }
        return isFolder.boolValue ? "it is a folder" : "permission denied, or the disk failed"
    }
}
