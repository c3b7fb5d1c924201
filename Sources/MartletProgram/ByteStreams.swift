import Glibc

/// Why bytes could not be read or written, with the name of what they are in.
enum ByteStreamFailure: Error, CustomStringConvertible {
    /// They could not be read.
    case input(String)
    /// They could not be written.
    case output(String)

    var description: String {
        switch self {
        case .input(let text), .output(let text): text
        }
    }
}

/// The bytes of a file or of standard input, piece by piece.
final class ByteInput {
    private let file: Int32
    private let name: String

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: when it cannot be opened.
    init(_ path: String) throws(ByteStreamFailure) {
        name = path == "-" ? "standard input" : path
        file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure(name) }
    }

    deinit { if file != STDIN_FILENO { close(file) } }

    /// The next bytes, as many as there are at once; `nil` at the end.
    ///
    /// - Throws: when they cannot be read.
    func next() throws(ByteStreamFailure) -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
            repeat {
                count = read(file, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            filled = max(count, 0)
        }
        guard count >= 0 else { throw Self.failure(name) }
        return count == 0 ? nil : bytes
    }

    private static func failure(_ name: String) -> ByteStreamFailure {
        .input("\(name): \(String(cString: strerror(errno)))")
    }
}

/// Bytes on standard output.
enum ByteOutput {
    /// Writes all of them.
    ///
    /// - Throws: when nobody takes them.
    static func write(_ bytes: some Collection<UInt8>) throws(ByteStreamFailure) {
        var remainder = Array(bytes)[...]
        while !remainder.isEmpty {
            let written = remainder.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                throw .output("standard output: \(String(cString: strerror(errno)))")
            }
            remainder = remainder.dropFirst(written)
        }
    }

    /// Writes all of them and leaves none.
    static func flush(_ bytes: inout [UInt8]) throws(ByteStreamFailure) {
        try write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// Lines of bytes, without their ends.
struct InputLineReader {
    /// The number of the line read last, from 1.
    private(set) var number = 0
    private let input: ByteInput
    private var waiting: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// A line may be this long: a few times what the largest frame is as JSON.
    static let lengthMax = 1 << 27

    init(_ input: ByteInput) { self.input = input }

    /// The next line that is not blank; `nil` at the end.
    ///
    /// - Parameter prepare: done before more is waited for.
    /// - Throws: when it cannot be read, or is longer than `lengthMax`.
    mutating func next(
        beforeReading prepare: () throws(ByteStreamFailure) -> Void
    ) throws(ByteStreamFailure) -> [UInt8]? {
        var searched = start
        while true {
            if let end = waiting[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = take(to: end)
                if let line { return line }
                searched = start
            } else if isAtEnd {
                return start < waiting.count ? take(to: waiting.count) : nil
            } else {
                searched = waiting.count - start
                waiting.removeFirst(start)
                start = 0
                guard waiting.count <= Self.lengthMax else {
                    throw .input("line \(number + 1) is longer than \(Self.lengthMax) bytes")
                }
                try prepare()
                if let more = try input.next() { waiting += more } else { isAtEnd = true }
            }
        }
    }

    /// The line that ends before `end`; `nil` when it is blank.
    private mutating func take(to end: Int) -> [UInt8]? {
        var line = waiting[start..<end]
        start = min(end + 1, waiting.count)
        number += 1
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line.allSatisfy { $0 == UInt8(ascii: " ") } ? nil : Array(line)
    }
}
