internal import CZlib
internal import MarketState
import Model
internal import Primitives

/// The binary form of a bar file, `SYMBOL.mbars`: less than a quarter of the text's size, and read in less
/// time.
///
/// All fixed numbers are 64 bits, little-endian. The file is
///
///     magic "MARTBAR1" · is dated (0, 1) · length of a bar in ns · rows · price unit · volume unit ·
///     actions · per row: time, open, high, low, close, volume · per action: row, line, kind, value ·
///     CRC-32 of everything before
///
/// Numbers of rows and actions are variable: seven bits a byte, lowest first, the top bit set on all but
/// the last. Signed ones are folded (0, -1, 1, -2 …). Prices are counted in the price unit, 10^-8 times
/// what divides them all, volumes likewise. Written are: the time as a difference to the row before less the
/// length, in nanoseconds (for dates: less one, in days); the open less the close before; how far the high
/// is above and the low below open and close; the close less the open. A kind is 0 for a split, with
/// its ratio in steps of 10^-8, or 1 for a dividend, with its price.
enum BarStore {
    /// What names of such files end with.
    static let ending = ".mbars"

    private static let magic: UInt64 = 0x3152_4142_5452_414D
    private static let headerBytes = 7 * 8
    private static let checksumBytes = 8
    /// A row's six numbers take at most ten bytes each.
    static let paddingBytes = 64

    // MARK: Writing

    /// Rows as bytes. With `dated`, a row's day goes in place of its start.
    static func bytes(_ series: BarSeries, dated calendar: SessionCalendar?) -> [UInt8] {
        var priceUnit: Int64 = 0
        var volumeUnit: Int64 = 0
        for row in series.rows {
            for price in [row.open, row.high, row.low, row.close] {
                priceUnit = commonDivisor(priceUnit, price.units)
            }
            volumeUnit = commonDivisor(volumeUnit, row.volume.units)
        }
        (priceUnit, volumeUnit) = (max(1, priceUnit), max(1, volumeUnit))
        let step = calendar == nil ? series.barSize.nanoseconds : 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(series.rows.count * 12 + 128)
        for number in [
            Int64(bitPattern: magic), calendar == nil ? 0 : 1, series.barSize.nanoseconds,
            Int64(series.rows.count), priceUnit, volumeUnit, Int64(series.actions.count),
        ] { bytes.append(fixed: UInt64(bitPattern: number)) }
        var time: Int64 = 0
        var close: Int64 = 0
        for row in series.rows {
            let start =
                calendar.map { Int64($0.day(of: row.start).number) } ?? row.start.nanoseconds
            let (open, end) = (row.open.units / priceUnit, row.close.units / priceUnit)
            bytes.append(signed: start &- time &- step)
            bytes.append(signed: open - close)
            bytes.append(variable: UInt64(row.high.units / priceUnit - max(open, end)))
            bytes.append(variable: UInt64(min(open, end) - row.low.units / priceUnit))
            bytes.append(signed: end - open)
            bytes.append(variable: UInt64(row.volume.units / volumeUnit))
            (time, close) = (start, end)
        }
        for action in series.actions { bytes.append(action) }
        bytes.append(fixed: checksum(bytes[...]))
        return bytes
    }

    private static func commonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes {
            UInt64(
                crc32_z(0, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count))
        }
    }

    // MARK: Reading

    /// The series in a file.
    ///
    /// - Parameter file: where the bytes are from.
    /// - Throws: when they are damaged, or not what a loader would have accepted as text.
    static func series(
        _ symbol: String, of file: SourceFile, bytes: consuming [UInt8], calendar: SessionCalendar
    ) throws(DataError) -> BarSeries {
        func fault(_ finding: String) -> DataError {
            DataError(
                file: file.path, finding: finding,
                remedy: "Make it again from its text with martlet data import.")
        }
        let end = bytes.count - checksumBytes
        guard end >= headerBytes, bytes.fixed(at: 0) == magic else {
            throw fault("is no file of bars in binary form")
        }
        guard bytes.fixed(at: end) == checksum(bytes[..<end]) else {
            throw fault("does not have the content it had when it was written")
        }
        let header = (1...6).map { Int64(bitPattern: bytes.fixed(at: $0 * 8)) }
        // A row takes six bytes or more.
        let rowCount = 1...Int64(max(1, (end - headerBytes) / 6))
        guard (0...1).contains(header[0]),
            BarFile.lengths.contains(Duration(nanoseconds: header[1])),
            rowCount.contains(header[2]), header[3] > 0, header[4] > 0,
            (0...Int64(end)).contains(header[5])
        else { throw fault("has a header that makes no sense") }
        bytes.append(contentsOf: repeatElement(0, count: paddingBytes))
        let isDated = header[0] == 1
        var decoder = Decoder(
            position: headerBytes, end: end, priceUnit: header[3], volumeUnit: header[4],
            step: isDated ? 1 : header[1], calendar: isDated ? calendar : nil)
        guard let rows = decoder.rows(Int(header[2]), of: bytes.span.bytes),
            let actions = decoder.actions(Int(header[5]), rows: rows.count, of: bytes.span.bytes)
        else { throw fault("has rows that make no sense") }
        return BarSeries(
            symbol: symbol,
            barSize: isDated ? calendar.sessionLength : Duration(nanoseconds: header[1]),
            rows: rows,
            file: file, actions: actions)
    }

    /// Takes numbers from bytes that have room for a row behind them.
    private struct Decoder {
        var position: Int
        let end: Int
        let priceUnit: Int64
        let volumeUnit: Int64
        let step: Int64
        /// For rows with days.
        let calendar: SessionCalendar?

        /// All rows; `nil` when one is not as a loader would have it.
        mutating func rows(_ count: Int, of bytes: RawSpan) -> [BarRow]? {
            var rows: [BarRow] = []
            rows.reserve(count)
            var time: Int64 = 0
            var previous = StampReader.earliest.nanoseconds - 1
            var close: Int64 = 0
            for _ in 0..<count {
                guard position < end else { return nil }
                time = time &+ step &+ signed(bytes)
                let open = close &+ signed(bytes)
                let above = variable(bytes)
                let below = variable(bytes)
                close = open &+ signed(bytes)
                let volume = variable(bytes) &* volumeUnit
                guard let start = start(time) else { return nil }
                let low = (min(open, close) &- below) &* priceUnit
                let high = (max(open, close) &+ above) &* priceUnit
                let row = BarRow(
                    start: Timestamp(nanoseconds: start), open: Price(units: open &* priceUnit),
                    high: Price(units: high), low: Price(units: low),
                    close: Price(units: close &* priceUnit), volume: Quantity(units: volume))
                // Products that wrapped do not fit together, or are too large.
                guard start > previous, low > 0, low <= row.open.units, low <= row.close.units,
                    high >= row.open.units, high >= row.close.units,
                    high <= Price.magnitudeMax.units,
                    (0...Quantity.magnitudeMax.units).contains(volume)
                else { return nil }
                rows.append(row)
                previous = start
            }
            return position <= end ? rows : nil
        }

        /// All actions, and nothing behind them.
        mutating func actions(_ count: Int, rows: Int, of bytes: RawSpan) -> [RowAction]? {
            var actions: [RowAction] = []
            for _ in 0..<count {
                guard position < end else { return nil }
                let row = variable(bytes)
                let line = variable(bytes)
                let kind = variable(bytes)
                let value = variable(bytes)
                guard (0..<Int64(rows)).contains(row), (0...1).contains(kind), value > 0, line >= 0,
                    value <= (kind == 0 ? Quantity.magnitudeMax.units : Price.magnitudeMax.units)
                else { return nil }
                actions.append(
                    RowAction(
                        row: Int(row), line: Int(line),
                        kind: kind == 0
                            ? .split(ratio: Quantity(units: value))
                            : .dividend(Price(units: value))))
            }
            return position == end ? actions : nil
        }

        private func start(_ time: Int64) -> Int64? {
            guard let calendar else {
                return time < StampReader.latest.nanoseconds ? time : nil
            }
            let days = StampReader.earliest.day.number..<StampReader.latest.day.number
            guard let number = Int32(exactly: time), days.contains(number) else { return nil }
            return calendar.open(on: Day(number: number)).nanoseconds
        }

        @inline(__always)
        private mutating func signed(_ bytes: RawSpan) -> Int64 {
            let folded = UInt64(bitPattern: variable(bytes))
            return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
        }

        /// At most ten bytes from a place before `end`; what does not fit is lost, and checked by the
        /// caller.
        @inline(__always)
        private mutating func variable(_ bytes: RawSpan) -> Int64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while shift < 70 {
                let byte = bytes.unsafeLoadUnaligned(
                    fromByteOffset: min(position, end + BarStore.paddingBytes - 1), as: UInt8.self)
                position &+= 1
                value |= UInt64(byte & 0x7F) << shift
                guard byte & 0x80 != 0 else { break }
                shift &+= 7
            }
            return Int64(bitPattern: value)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(fixed number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    fileprivate mutating func append(variable number: UInt64) {
        var remainder = number
        while remainder > 0x7F {
            append(UInt8(truncatingIfNeeded: remainder) | 0x80)
            remainder >>= 7
        }
        append(UInt8(remainder))
    }

    fileprivate mutating func append(signed number: Int64) {
        append(variable: UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    fileprivate mutating func append(_ action: RowAction) {
        append(variable: UInt64(action.row))
        append(variable: UInt64(action.line))
        switch action.kind {
        case .split(let ratio):
            append(variable: 0)
            append(variable: UInt64(ratio.units))
        case .dividend(let price):
            append(variable: 1)
            append(variable: UInt64(price.units))
        }
    }

    /// The eight bytes at a place as a number.
    fileprivate func fixed(at index: Int) -> UInt64 {
        self[index..<index + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
