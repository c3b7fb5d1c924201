import Foundation

/// The words that names of ours use: one thing, one word, and the one that the field uses.
enum Vocabulary {
    /// A word that no name contains, and the words to write instead.
    struct Word: Sendable {
        /// One word of a name, or several in a row: `made up` stands for `madeUp` and `isMadeUp`.
        let word: String
        let instead: String
        /// The whole name is meant, and not where it is called: `place` is no noun, `place(order)` is fine.
        let isWholeName: Bool
        /// The words in a row.
        let parts: [String]

        init(_ word: String, instead: String, isWholeName: Bool) {
            self.word = word
            self.instead = instead
            self.isWholeName = isWholeName
            parts = word.split(separator: " ").map(String.init)
        }
    }

    /// A word that may stand somewhere.
    struct Exception: Sendable {
        let word: String
        /// The beginning of the paths of the files.
        let path: String
        /// A part of the line of code.
        let line: String
        let why: String
    }

    static let words =
        forms(of: "wish", "wishes", "wished", instead: "intent, request")
        + forms(of: "want", "wants", "wanted", instead: "intent, requested, expected, target")
        + forms(of: "verdict", "verdicts", instead: "decision, outcome")
        + forms(of: "seat", "seats", instead: "strategy instance")
        + forms(
            of: "room", "rooms", instead: "module, component; what is left of a limit: headroom")
        + forms(of: "desk", "desks", instead: "order manager, service")
        + forms(
            of: "tell", "tells", "told", "telling", "tellings", "untold",
            instead: "publish, notify, report, send")
        + forms(of: "hear", "hears", "heard", "hearing", instead: "receive, handle")
        + forms(of: "heed", "heeds", "heeded", instead: "handle")
        + forms(of: "obey", "obeys", "obeyed", instead: "apply")
        + forms(of: "say", "says", "said", "saying", instead: "report, state, print")
        + forms(of: "pursue", "pursues", "pursued", instead: "submit, modify, cancel")
        + forms(of: "carry out", "carries out", "carried out", instead: "perform")
        + forms(
            of: "watch", "watches", "watched", "watchers", "watching",
            instead: "monitor, subscribe, observe")
        + forms(of: "cushion", "cushions", instead: "cash buffer")
        + forms(of: "tape", "tapes", instead: "top of book, market cursor")
        + forms(of: "police", "policed", instead: "rate-limit check")
        + forms(of: "haste", instead: "pacing violation")
        + forms(of: "judge", "judges", "judged", instead: "audit")
        + forms(of: "suspect", "suspects", "suspected", instead: "unexpected; a line: stale")
        + forms(of: "swallow", "swallows", "swallowed", instead: "drop")
        + forms(of: "linger", "lingers", "lingering", instead: "delay")
        + forms(of: "trickle", "trickles", instead: "throttle")
        + forms(of: "lane", "lanes", instead: "connection, queue")
        + forms(of: "parcel", "parcels", instead: "frame")
        + forms(of: "cargo", instead: "frames")
        + forms(of: "world", "worlds", instead: "dependencies")
        + forms(of: "standing", instead: "snapshot")
        + forms(of: "stretch", "stretches", instead: "interval, batch")
        + forms(of: "instant", "instants", instead: "time, timestamp")
        + forms(of: "trip", "trips", instead: "closed trade")
        + forms(of: "made up", instead: "synthetic")
        + forms(of: "works outside", instead: "outsideRTH")
        + forms(of: "outside hours", instead: "outsideRTH")
        + forms(of: "bar length", "bar lengths", instead: "barSize")
        + forms(of: "whole only", instead: "allOrNone")
        + forms(of: "whole at once", instead: "fillOrKill")
        + names("place", "places", instead: "index, position; place is what is done to an order")
        + names("book", "books", instead: "order book, contract database, portfolio ledger")
        + names("rest", instead: "remaining, remainder")
        + names("again", instead: "duplicate, retry, repeated")
        + names("ended", instead: "finished, cancelled, expired")

    /// Terms of the field that contain such a word.
    private static let terms = [["round", "trip"], ["round", "trips"]]

    private static func forms(of words: String..., instead: String) -> [Word] {
        words.map { Word($0, instead: instead, isWholeName: false) }
    }

    private static func names(_ words: String..., instead: String) -> [Word] {
        words.map { Word($0, instead: instead, isWholeName: true) }
    }

    static let exceptions = [
        Exception(
            word: "cushion", path: "Sources/GatewaySimulator/", line: "ushion",
            why: "IBKR's account value Cushion: excess liquidity over net liquidation"),
        Exception(
            word: "cushion", path: "Tests/GatewaySimulatorTests/", line: "ushion",
            why: "IBKR's account value"),
        Exception(
            word: "linger", path: "Sources/GatewaySimulator/Server/ServerCore.swift",
            line: "inger", why: "the socket option of POSIX"),
    ]

    // MARK: Names

    /// Words of the table in the names of files, with the lines where they stand.
    static func findings(_ files: [SourceFile], allowing allowed: [Exception]) -> [Finding] {
        var known = KnownNames()
        return files.flatMap { file in
            file.linesOfCode.flatMap { index in
                let line = file.code[index]
                var seen: Set<String> = []
                return known.forbidden(in: line).filter { word in
                    !allowed.contains { allows($0, word.word, file.path, line) }
                        && seen.insert(word.word).inserted
                }.map { word in
                    file.finding(index, "'\(word.word)' in a name: write \(word.instead)")
                }
            }
        }
    }

    static func allows(_ exception: Exception, _ word: String, _ path: String, _ line: String)
        -> Bool
    {
        exception.word == word && path.hasPrefix(exception.path) && line.contains(exception.line)
    }

    /// A name in a line of code.
    struct Name: Hashable {
        let text: Substring
        /// A call or a function's declaration.
        let isCalled: Bool
    }

    /// The words of names already seen. Most names stand in many lines.
    struct KnownNames {
        private var words: [Name: [Word]] = [:]

        /// The words of the table in the names of a line, in the line's order.
        mutating func forbidden(in line: String) -> [Word] {
            var found: [Word] = []
            for name in Vocabulary.names(in: line) {
                if let known = words[name] {
                    if !known.isEmpty { found += known }
                } else {
                    let new = Vocabulary.forbidden(in: name)
                    words[name] = new
                    found += new
                }
            }
            return found
        }
    }

    /// The identifiers in a line of code. By bytes: a regular expression takes minutes for all files.
    static func names(in line: String) -> [Name] {
        let bytes = line.utf8
        var names: [Name] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard beginsName(bytes[index]) else {
                bytes.formIndex(after: &index)
                continue
            }
            let start = index
            repeat {
                bytes.formIndex(after: &index)
            } while index < bytes.endIndex && continuesName(bytes[index])
            let isCalled = index < bytes.endIndex && bytes[index] == UInt8(ascii: "(")
            names.append(Name(text: line[start..<index], isCalled: isCalled))
        }
        return names
    }

    private static func beginsName(_ byte: UInt8) -> Bool {
        isSmall(byte) || isCapital(byte) || byte == UInt8(ascii: "_")
    }

    private static func continuesName(_ byte: UInt8) -> Bool { beginsName(byte) || isDigit(byte) }

    private static func isSmall(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
    }

    private static func isCapital(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// The words of the table that a name contains.
    static func forbidden(in name: Name) -> [Word] {
        let parts = withoutTerms(words(of: name.text))
        return words.filter { word in
            if word.isWholeName { return name.text == word.word && !name.isCalled }
            return parts.indices.contains { parts[$0...].starts(with: word.parts) }
        }
    }

    private static func withoutTerms(_ parts: [String]) -> [String] {
        var remaining = parts[...]
        var kept: [String] = []
        while let first = remaining.first {
            let term = terms.first { remaining.starts(with: $0) }
            remaining = remaining.dropFirst(term?.count ?? 1)
            if term == nil { kept.append(first) }
        }
        return kept
    }

    /// A name's words: `deskOf_JSONBook2` has `desk`, `of`, `json`, `book` and `2`.
    static func words(of name: Substring) -> [String] {
        name.matches(of: #/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/#).map { $0.output.lowercased() }
    }

    // MARK: Keys

    /// Files whose texts name keys of the configuration, columns of tables and figures of the summary.
    static func namesKeys(_ path: String) -> Bool {
        path.hasPrefix("Sources/Configuration/") || path.hasPrefix("Sources/Reporting/CSV")
            || path.hasPrefix("Sources/Reporting/Statistics/SummaryKey")
    }

    /// Words of the table in texts of a file that are names: `"bar_size"`.
    static func keyFindings(_ file: SourceFile) -> [Finding] {
        file.lines.enumerated().flatMap { index, line in
            keys(in: line).flatMap(forbidden).map { word in
                file.finding(index, "'\(word.word)' in a key: write \(word.instead)")
            }
        }
    }

    private static func keys(in line: String) -> [Name] {
        guard !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") else { return [] }
        return line.matches(of: #/"([a-z][a-z0-9]*(?:_[a-z0-9]+)*)"/#).map { match in
            Name(text: match.output.1, isCalled: false)
        }
    }

    // MARK: Types

    /// A type that other modules see.
    struct PublicType {
        let name: String
        let finding: Finding
        let module: String
    }

    /// The types at the top level of a file that are public or of the package.
    static func publicTypes(_ file: SourceFile) -> [PublicType] {
        let pattern =
            #/^(?:@\w+\s+)*(?:public|package)\s+(?:final\s+|indirect\s+)*(?:struct|enum|class|actor|protocol|typealias)\s+(\w+)/#
        return file.code.enumerated().compactMap { index, line in
            guard line.hasPrefix("p") || line.hasPrefix("@") else { return nil }
            guard let match = line.firstMatch(of: pattern) else { return nil }
            let name = String(match.output.1)
            return PublicType(
                name: name, finding: file.finding(index, "\(name) is declared in two modules"),
                module: file.module)
        }
    }

    /// Types that share their name with one of another module.
    static func sharedNames(_ files: [SourceFile]) -> [Finding] {
        let types = Dictionary(grouping: files.flatMap(publicTypes), by: \.name)
        return types.keys.sorted().flatMap { name in
            let same = types[name, default: []]
            return same.count > 1 ? same.map(\.finding) : []
        }
    }
}
