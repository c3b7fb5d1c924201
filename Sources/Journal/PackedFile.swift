internal import CZlib
import Digests
import Glibc

/// Files as gzip keeps them.
enum PackedFile {
    private static let blockBytes = 1 << 18

    /// Packs a file into another, which is on the disk when this returns.
    ///
    /// - Returns: the digest of the file's bytes.
    static func pack(_ source: String, into target: String) throws(JournalError) -> [UInt8] {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw .file(source, reason) }
        defer { close(input) }
        // Six is zlib's usual balance.
        guard let output = gzopen(target, "wb6") else { throw .file(target, reason) }
        let written = copy(from: { read(input, $0, blockBytes) }, to: { gzwrite(output, $0, $1) })
        guard gzclose(output) == Z_OK, let written else { throw .file(target, reason) }
        let packed = open(target, O_RDWR | O_CLOEXEC)
        guard packed >= 0 else { throw .file(target, reason) }
        defer { close(packed) }
        guard fsync(packed) == 0 else { throw .file(target, reason) }
        return written.digest
    }

    /// Unpacks a file into an open one.
    ///
    /// - Returns: the digest of the unpacked bytes.
    @discardableResult
    static func unpack(_ source: String, into output: Int32?) throws(JournalError) -> [UInt8] {
        guard let input = gzopen(source, "rb") else { throw .file(source, reason) }
        let written = copy(
            from: { Int(gzread(input, $0, UInt32(blockBytes))) },
            to: { bytes, count in
                guard let output else { return Int32(count) }
                return Int32(write(output, bytes, Int(count)))
            })
        // The end of what was packed is verified by its own checksum there. A file that ends before it is not always
        // noticed by zlib: where all bytes came that it makes at a time, or none.
        guard gzclose(input) == Z_OK, let written,
            size(of: source) == UInt32(truncatingIfNeeded: written.byteCount),
            written.byteCount > 0
        else { throw .damaged(source, sequence: 0, "it cannot be unpacked") }
        return written.digest
    }

    /// How many bytes a packed file says that it unpacks to, modulo 2^32: its last four (RFC 1952, ISIZE).
    private static func size(of source: String) -> UInt32? {
        let file = open(source, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var last = UInt32(0)
        guard lseek(file, -4, SEEK_END) >= 0, read(file, &last, 4) == 4 else { return nil }
        return UInt32(littleEndian: last)
    }

    /// The digest of all bytes and their number; `nil` if they could not be copied.
    private static func copy(
        from source: (UnsafeMutableRawPointer?) -> Int,
        to target: (UnsafeMutableRawPointer?, UInt32) -> Int32
    ) -> (digest: [UInt8], byteCount: Int)? {
        var block = [UInt8](repeating: 0, count: blockBytes)
        var byteCount = 0
        var hash = SHA256()
        while true {
            let count = block.withUnsafeMutableBytes { bytes in
                let count = source(bytes.baseAddress)
                guard count > 0 else { return count }
                return target(bytes.baseAddress, UInt32(count)) == Int32(count) ? count : -1
            }
            guard count >= 0 else { return nil }
            guard count > 0 else { return (hash.digest(), byteCount) }
            byteCount += count
            hash.update(block[..<count])
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}

/// A compressed journal as the database it was, in a temporary file that is gone with this.
final class UnpackedCopy {
    /// Where it is.
    let path: String

    init(of file: String) throws(JournalError) {
        var name = Array("/tmp/martlet-journal-XXXXXX".utf8CString)
        if let folder = getenv("TMPDIR") {
            name = Array("\(String(cString: folder))/martlet-journal-XXXXXX".utf8CString)
        }
        let output = mkstemp(&name)
        path = name.withUnsafeBufferPointer { pointer in
            pointer.baseAddress.map { String(cString: $0) } ?? ""
        }
        guard output >= 0 else { throw .file(file, "no copy of it can be made in \(path)") }
        defer { close(output) }
        do throws(JournalError) {
            try PackedFile.unpack(file, into: output)
        } catch {
            unlink(path)
            throw error
        }
    }

    deinit { unlink(path) }
}
