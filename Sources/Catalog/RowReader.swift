internal import Primitives

/// What takes in the rows of one file: usual lines fast, all others one by one.
protocol RowReader {
    /// What it throws at a line that is no row; `Never` where such lines are noted.
    associatedtype Failure: Error

    /// The last line taken in, from 1.
    var line: Int { get set }

    /// Takes in lines as long as they are usual.
    ///
    /// - Parameter bytes: readable for `LineReader.paddingBytes` behind `lines`.
    /// - Returns: the first line not taken in, or the end of `lines`.
    mutating func takeUsual(_ lines: Range<Int>, of bytes: RawSpan) -> Int

    /// Takes in one line of any form, which `line` counts already.
    mutating func take(_ text: ArraySlice<UInt8>) throws(Failure)
}

extension RowReader {
    /// Takes in whole lines.
    ///
    /// - Parameter bytes: readable for `LineReader.paddingBytes` behind `lines`.
    mutating func take(_ lines: Range<Int>, of bytes: [UInt8]) throws(Failure) {
        var position = lines.lowerBound
        while position < lines.upperBound {
            position = takeUsual(position..<lines.upperBound, of: bytes.span.bytes)
            guard position < lines.upperBound else { return }
            let remainder = bytes[position..<lines.upperBound]
            let end = remainder.firstIndex(of: UInt8(ascii: "\n")) ?? lines.upperBound - 1
            line += 1
            try take(remainder[..<end])
            position = end + 1
        }
    }
}

extension LineReader {
    /// Takes a file's first line.
    mutating func takeHeader() throws(DataError) -> ArraySlice<UInt8> {
        guard try next() else {
            throw DataError(
                file: file.path, finding: "found an empty file",
                remedy: "Write a header and rows, or remove it.")
        }
        return takeLine()
    }

    /// Passes on what is left of the file, as pieces of whole lines.
    ///
    /// - Parameter progress: receives how many more bytes of the file are done; all of them in the end.
    mutating func readRemainder(
        progress: (Int) -> Void,
        _ take: (inout LineReader) throws(DataError) -> Void
    ) throws(DataError) {
        var doneBytes = 0
        defer { progress(file.bytes - doneBytes) }
        repeat {
            try take(&self)
            progress(consumedBytes - doneBytes)
            doneBytes = consumedBytes
        } while try next()
    }
}

extension CSVLine {
    /// The fields of a row under a header of so many names.
    static func fields(
        of line: ArraySlice<UInt8>, count: Int
    ) throws(FieldFault) -> [String] {
        guard let fields = fields(of: line) else {
            throw FieldFault(
                finding: "found a quotation mark without its partner before a comma or line end",
                remedy: DataError.correctRow)
        }
        guard fields.count == count else {
            throw FieldFault(
                finding: "found \(fields.count) fields where the header has \(count)",
                remedy: DataError.correctRow)
        }
        return fields
    }
}
