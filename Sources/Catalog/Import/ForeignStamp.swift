import Model
internal import Primitives

/// Times as other programs write them.
enum ForeignStamp {
    /// Reads what the loader reads and besides: `20190211`, `20190211 09:30:00` (also with `-` or two
    /// spaces between), `2019/02/11`, `02/11/2019` and `11.02.2019` with or without a time, `Feb 11, 2019`,
    /// `9:30`, `AM` and `PM`, and a zone's name behind any of them; `nil` for anything else.
    ///
    /// - Parameter isDayFirst: whether `02/11/2019` is in November.
    static func read(_ text: String, isDayFirst: Bool) -> StampText? {
        if let stamp = StampText(text) { return stamp }
        var words = text.split { $0 == " " || $0 == "," }.map(String.init)
        if let sides = words.first?.split(separator: "T"), sides.count == 2 {
            words.replaceSubrange(0..<1, with: sides.map(String.init))
        }
        let clock = zone(&words)
        guard !words.isEmpty else { return nil }
        guard let day = day(&words, isDayFirst: isDayFirst) else { return nil }
        guard !words.isEmpty else { return clock == nil ? .date(day) : nil }
        guard let time = time(words) else { return nil }
        switch clock {
        case .utc?: return .reading(day: day, sinceMidnight: time, offset: .zero)
        case .newYork?:
            let timestamp = NewYork.timestamp(on: day, at: time)
            let behind = NewYork.behindUTC(at: timestamp)
            return .reading(
                day: day, sinceMidnight: time,
                offset: Duration(nanoseconds: -behind.nanoseconds))
        case nil: return .reading(day: day, sinceMidnight: time, offset: nil)
        }
    }

    /// Takes a zone's name from the end.
    private static func zone(_ words: inout [String]) -> WallClock? {
        guard let last = words.last?.lowercased() else { return nil }
        let zone: WallClock
        switch last {
        case "utc", "gmt", "z", "etc/utc": zone = .utc
        case "us/eastern", "america/new_york", "est5edt", "et", "est", "edt": zone = .newYork
        default: return nil
        }
        words.removeLast()
        return zone
    }

    /// Takes a date from the front.
    private static func day(_ words: inout [String], isDayFirst: Bool) -> Day? {
        let first = words.removeFirst()
        if let day = numeric(first, isDayFirst: isDayFirst) { return day }
        // IB writes 20190211-09:30:00, too.
        if first.utf8.count > 9, first.dropFirst(8).hasPrefix("-"),
            let day = compact(first.prefix(8))
        {
            words.insert(String(first.dropFirst(9)), at: 0)
            return day
        }
        // Feb 11, 2019.
        guard let month = month(first), words.count >= 2, let dayOfMonth = Int(words[0]),
            let year = Int(words[1])
        else { return nil }
        words.removeFirst(2)
        return Day(year: year, month: month, day: dayOfMonth)
    }

    private static func numeric(_ text: String, isDayFirst: Bool) -> Day? {
        if let day = compact(text[...]) { return day }
        for separator in ["/", ".", "-"] as [Character] where text.contains(separator) {
            let parts = text.split(separator: separator, omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Int($0) }
            guard parts.count == 3, numbers.count == 3 else { return nil }
            if parts[0].count == 4 {
                return Day(year: numbers[0], month: numbers[1], day: numbers[2])
            }
            guard parts[2].count == 4 else { return nil }
            let dayComesFirst = isDayFirst || separator == "."
            return Day(
                year: numbers[2], month: numbers[dayComesFirst ? 1 : 0],
                day: numbers[dayComesFirst ? 0 : 1])
        }
        return nil
    }

    private static func compact(_ text: Substring) -> Day? {
        guard text.utf8.count == 8, let number = Int(text), number > 0 else { return nil }
        return Day(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    private static func month(_ text: String) -> Int? {
        let names = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        return names.firstIndex(of: String(text.lowercased().prefix(3))).map { $0 + 1 }
    }

    /// `9:30`, `09:30:00` or `093000`, with `AM` or `PM` behind.
    private static func time(_ words: [String]) -> Duration? {
        guard (1...2).contains(words.count) else { return nil }
        var text = words[0]
        if text.utf8.count == 6, let number = Int(text), number >= 0 {
            text = "\(number / 10_000):\(number / 100 % 100):\(number % 100)"
        }
        let parts = text.split(separator: ":").map { Int($0) }
        guard (2...3).contains(parts.count), var hour = parts[0], let minute = parts[1],
            let second = parts.count == 3 ? parts[2] : 0, (0..<60).contains(minute),
            (0..<60).contains(second)
        else { return nil }
        if words.count == 2 {
            guard (1...12).contains(hour) else { return nil }
            switch words[1].lowercased() {
            case "am": hour %= 12
            case "pm": hour = hour % 12 + 12
            default: return nil
            }
        }
        guard (0..<24).contains(hour) else { return nil }
        return .seconds(Int64((hour * 60 + minute) * 60 + second))
    }
}
