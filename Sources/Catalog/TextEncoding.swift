/// Encodings that are no plain UTF-8, by the bytes of a file.
enum TextEncoding {
    /// The mark that some programs put before UTF-8.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The name of an encoding that cannot be read, by a file's first line; `nil` for others.
    static func unreadable(_ line: ArraySlice<UInt8>) -> String? {
        if line.starts(with: [0xFF, 0xFE, 0, 0]) || line.starts(with: [0, 0, 0xFE, 0xFF]) {
            return "UTF-32"
        }
        if line.starts(with: [0xFF, 0xFE]) || line.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        // Every other byte of Latin letters in UTF-16 is zero, also where there is no mark.
        return line.count { $0 == 0 } > line.count / 4 && line.count > 4 ? "UTF-16" : nil
    }

    /// The message about a file in such an encoding.
    static func fault(_ name: String, _ file: String) -> DataError {
        DataError(
            file: file, line: 1, finding: "found text in \(name)",
            remedy: "Save it as UTF-8, for example with iconv -f \(name) -t UTF-8.")
    }

    /// The first of some lines that is not UTF-8, from 0; `nil` when all are.
    static func firstForeignLine(_ lines: ArraySlice<UInt8>) -> Int? {
        guard lines.reduce(0, |) >= 0x80 else { return nil }
        let texts = lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return texts.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    }
}
