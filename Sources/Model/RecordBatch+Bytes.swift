import Primitives

// A batch as bytes, as a journal keeps it: its words one behind the other, each as long as its digits.
//
// A word is written without the zeros behind its last decimal digit, in groups of seven bits, the lowest first: the
// first byte has the number of zeros in its low half and three bits, and the eighth bit of each byte says that more
// follow. Prices, times and quantities are mostly short numbers with many zeros.

extension RecordBatch {
    /// The batch as bytes. Decisions are left out: the digest stands for them.
    package func encoded() -> [UInt8] {
        var writer = RecordWriter()
        writer.write(events.count)
        var time = Timestamp(nanoseconds: 0)
        for event in events {
            writer.write(event.at.nanoseconds &- time.nanoseconds)
            time = event.at
            writer.write(event.kind)
        }
        writer.write(commands.count)
        for command in commands {
            writer.write(command.event)
            writer.write(command.command)
        }
        writer.write(Int64(bitPattern: digest))
        return RecordBytes.bytes(of: writer.takeWords())
    }

    /// The batch that was written. Throws when the bytes are of none.
    package init(decoding bytes: [UInt8]) throws(RecordError) {
        let words = try RecordBytes.words(of: bytes)
        let most = Int(Int32.max)
        var reader = RecordReader(
            .clock, words, RecordReader.Bounds(instruments: most, strategies: most))
        self.init()
        var time = Timestamp(nanoseconds: 0)
        events = try reader.list { (reader) throws(RecordError) in
            time = Timestamp(nanoseconds: time.nanoseconds &+ (try reader.word()))
            return Event(at: time, kind: try reader.value(Event.Kind.self))
        }
        let eventCount = events.count
        commands = try reader.list { (reader) throws(RecordError) in
            let event = try reader.count()
            guard event < eventCount else { throw reader.damage }
            return RecordedCommand(try reader.value(Command.self), to: event)
        }
        digest = UInt64(bitPattern: try reader.word())
        try reader.finish()
    }
}

/// Words as bytes.
enum RecordBytes {
    /// The bytes of words.
    static func bytes(of words: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.count * 3)
        for word in words { append(word, to: &bytes) }
        return bytes
    }

    private static func append(_ word: Int64, to bytes: inout [UInt8]) {
        var mantissa = word
        var zeros: UInt8 = 0
        while mantissa != 0, zeros < 15, mantissa % 10 == 0 {
            mantissa /= 10
            zeros += 1
        }
        // The sign is the lowest bit.
        var remaining = UInt64(bitPattern: mantissa << 1 ^ mantissa >> 63)
        var byte = zeros | UInt8(remaining & 7) << 4
        remaining >>= 3
        while remaining != 0 {
            bytes.append(byte | 0x80)
            byte = UInt8(remaining & 0x7F)
            remaining >>= 7
        }
        bytes.append(byte)
    }

    /// The words of bytes. Throws when a word does not end, or is none.
    static func words(of bytes: [UInt8]) throws(RecordError) -> [Int64] {
        var words: [Int64] = []
        words.reserveCapacity(bytes.count / 2)
        var index = 0
        while index < bytes.count {
            let first = bytes[index]
            var remaining = UInt64(first >> 4 & 7)
            var shift: UInt64 = 3
            var byte = first
            index += 1
            while byte & 0x80 != 0 {
                guard index < bytes.count, shift < 64 else { throw damage }
                byte = bytes[index]
                index += 1
                let group = UInt64(byte & 0x7F)
                guard shift <= 57 || group >> (64 - shift) == 0 else { throw damage }
                remaining |= group << shift
                shift += 7
            }
            var word = Int64(bitPattern: remaining >> 1) ^ -Int64(remaining & 1)
            for _ in 0..<(first & 15) {
                let (tenfold, overflowed) = word.multipliedReportingOverflow(by: 10)
                guard !overflowed else { throw damage }
                word = tenfold
            }
            words.append(word)
        }
        return words
    }

    private static var damage: RecordError { RecordError(topic: .clock) }
}
