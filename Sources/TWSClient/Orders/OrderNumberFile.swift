import Glibc

/// Keeps the highest order number in a file: written beside, made durable, then put in place, so that
/// a crash at any moment leaves the old number or the new one.
public struct OrderNumberFile: OrderNumberStore {
    /// The file.
    public let path: String

    /// Keeps the number at `path`; its folder must exist.
    public init(path: String) { self.path = path }

    /// Why the file could not be used.
    public struct Problem: Error, CustomStringConvertible {
        /// What failed, with the file's name and the system's words.
        public let description: String
    }

    /// The number in the file; `nil` where there is none.
    public func load() throws -> Int32? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw problem("read")
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw problem("read") }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        guard text.last == "\n", let number = Int32(text.dropLast()), number >= 0 else {
            throw Problem(
                description:
                    "\(path) does not hold an order number: find the highest one used in TWS, "
                    + "write it there, and a line feed")
        }
        return number
    }

    /// Writes the number and makes it durable.
    public func save(_ mark: Int32) throws {
        let fresh = path + ".new"
        let file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw problem("write") }
        let bytes = Array("\(mark)\n".utf8)
        let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let words = isWritten ? nil : problem("write")
        close(file)
        if let words { throw words }
        guard rename(fresh, path) == 0 else { throw problem("replace") }
        try makeNameDurable()
    }

    /// The new name is durable once its folder is.
    private func makeNameDurable() throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.isEmpty ? "." : parts == [""] ? "/" : parts.joined(separator: "/")
        let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { throw problem("open the folder of") }
        defer { close(handle) }
        guard fsync(handle) == 0 else { throw problem("keep") }
    }

    private func problem(_ verb: String) -> Problem {
        Problem(description: "cannot \(verb) \(path): \(String(cString: strerror(errno)))")
    }
}
