internal import CZlib
internal import Glibc
internal import Primitives

/// A data file's text in pieces of whole lines, unpacked where it is gzip.
///
/// Memory is one buffer; a line that does not fit in it is an error.
struct LineReader: ~Copyable {
    /// The file as it was when it was opened.
    let file: SourceFile
    /// The buffer; `paddingBytes` more can be read behind `lines`.
    private(set) var bytes: [UInt8]
    /// The whole lines that `next` found; each ends with a line feed.
    private(set) var lines = 0..<0

    /// What may be read behind the last line without leaving `bytes`.
    static let paddingBytes = 32

    private let handle: gzFile
    private var filled = 0
    private var isAtEnd = false

    /// Opens the file at `path`.
    ///
    /// - Parameter bufferBytesMax: the longest line accepted, and how much is read at once.
    init(path: String, bufferBytesMax: Int) throws(DataError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw DataError(
                file: path, finding: "could not be opened: \(reason)",
                remedy: "Check the path and its permissions.")
        }
        // The zlib reader passes plain text through, straight into our buffer.
        guard let handle = gzdopen(descriptor, "r") else {
            close(descriptor)
            throw DataError(
                file: path, finding: "could not be read: out of memory", remedy: "Free some memory."
            )
        }
        gzbuffer(handle, 1 << 16)
        self.handle = handle
        file = SourceFile(
            path: path, bytes: Int(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
            inode: UInt64(status.st_ino))
        // One byte more than the file shows its end without another read.
        let isPlain = gzdirect(handle) == 1
        let capacity = isPlain ? min(file.bytes + 1, bufferBytesMax) : bufferBytesMax
        bytes = Array(repeating: 0, count: capacity + Self.paddingBytes)
    }

    deinit { gzclose(handle) }

    /// How many bytes of the file (packed, where it is packed) were needed so far.
    var consumedBytes: Int { min(max(0, gzoffset(handle)), file.bytes) }

    /// Replaces `lines` by the next ones; `false` at the end of the file.
    mutating func next() throws(DataError) -> Bool {
        let remainder = lines.upperBound..<filled
        if lines.upperBound > 0 { bytes.replaceFront(with: remainder) }
        filled = remainder.count
        lines = 0..<0
        let capacity = bytes.count - Self.paddingBytes
        while !isAtEnd, filled < capacity {
            let searched = filled
            try read(upTo: capacity)
            if let feed = bytes[searched..<filled].lastIndex(of: UInt8(ascii: "\n")) {
                lines = 0..<feed + 1
                return true
            }
        }
        guard filled > 0 else { return false }
        guard isAtEnd else {
            throw DataError(
                file: file.path, finding: "found a line longer than \(capacity) bytes",
                remedy: "Check that this is a comma-separated text file.")
        }
        // The last line may lack its line feed; the padding has room for one.
        bytes[filled] = UInt8(ascii: "\n")
        filled += 1
        lines = 0..<filled
        return true
    }

    /// Takes the first of `lines`, without its line feed.
    ///
    /// - Precondition: there is one.
    mutating func takeLine() -> ArraySlice<UInt8> {
        let end = bytes[lines].firstIndex(of: UInt8(ascii: "\n")) ?? lines.upperBound - 1
        defer { lines = end + 1..<lines.upperBound }
        return bytes[lines.lowerBound..<end]
    }

    private mutating func read(upTo capacity: Int) throws(DataError) {
        let from = filled
        let count = bytes.withUnsafeMutableBytes { buffer in
            Int(gzread(handle, buffer.baseAddress?.advanced(by: from), UInt32(capacity - from)))
        }
        filled += max(0, count)
        guard count <= 0 else { return }
        isAtEnd = true
        var code: Int32 = 0
        let message = gzerror(handle, &code).map { String(cString: $0) } ?? ""
        guard count < 0 || code == Z_BUF_ERROR else { return }
        throw DataError(
            file: file.path, finding: "could not be unpacked or read: \(message)",
            remedy: "The file is damaged or incomplete; fetch or compress it again.")
    }
}

extension [UInt8] {
    /// Moves the bytes of `range` to the front.
    fileprivate mutating func replaceFront(with range: Range<Int>) {
        withUnsafeMutableBytes { buffer in
            let source = UnsafeRawBufferPointer(rebasing: buffer[range])
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<range.count]).copyMemory(from: source)
        }
    }
}
