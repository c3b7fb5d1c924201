import Primitives
import TWSProtocol

/// Synthetic news about listed companies. What is published about a company on a day follows from the gateway's
/// seed, so that a headline and its article are the same whenever they are asked for. Every text states that it
/// is made up.
struct NewsService: Sendable {
    /// What all draws follow from.
    let seed: UInt64

    /// A headline.
    struct Item: Hashable, Sendable {
        /// When it appeared.
        let time: Timestamp
        /// Whose it is.
        let provider: String
        /// Its article's name: provider, contract, day and place in the day.
        let article: String
        /// Its text.
        let headline: String
    }

    /// What headlines are asked for.
    struct Query: Sendable {
        /// The contract.
        let contract: ContractID
        /// Its company's name.
        let company: String
        /// The providers wanted.
        let providers: Set<String>
        /// Headlines after this time.
        let after: Timestamp
        /// Headlines up to this time.
        let until: Timestamp
        /// At most so many.
        let limit: Int
    }

    /// The providers.
    static let providers: [(code: String, name: String)] = [
        ("SIMN", "Simulated company news"), ("SIMA", "Simulated analyst actions"),
    ]

    /// Days that are looked through for one request.
    private static let daysMax = 366
    /// Headlines of a company and provider on one day at most.
    private static let perDay = 2

    private static let phrases = [
        "SIMN": [
            "is named in a survey of its industry", "holds its annual meeting",
            "presents at a conference", "opens an office", "renews a supply agreement",
            "publishes a report on its plants", "appoints a member of its board",
        ],
        "SIMA": [
            "keeps its rating at one house", "is raised to outperform by one house",
            "is lowered to neutral by one house", "is taken up by one house",
        ],
    ]

    /// Headlines, newest first, and whether there are more than were wanted.
    func headlines(_ query: Query) -> (items: [Item], hasMore: Bool) {
        var items: [Item] = []
        var day = NewYork.day(at: query.until)
        let first = NewYork.day(at: query.after)
        for _ in 0..<Self.daysMax where day >= first && items.count <= query.limit {
            items += self.items(on: day, query).filter {
                $0.time > query.after && $0.time <= query.until
            }
            day = day.advanced(by: -1)
        }
        return (Array(items.prefix(query.limit)), items.count > query.limit)
    }

    /// The text of an article that a headline named and that had appeared by `now`; `nil` for any other name.
    func article(_ name: String, of company: (ContractID) -> String?, by now: Timestamp) -> String?
    {
        let parts = name.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, let number = Int32(parts[1]), let day = Int32(parts[2]),
            day.magnitude < 100_000, let name = company(ContractID(rawValue: number))
        else { return nil }
        let query = Query(
            contract: ContractID(rawValue: number), company: name, providers: [String(parts[0])],
            after: .distantPast, until: now, limit: 1)
        let article = parts.joined(separator: "$")
        let items = items(on: Day(number: day), query)
        guard let item = items.first(where: { $0.article == article && $0.time <= now }) else {
            return nil
        }
        return "\(item.headline)\n\nThis article was made up by a simulated gateway. "
            + "Nothing in it has happened, and nothing follows from it for \(name)."
    }

    /// What a day brings of a company, newest first.
    private func items(on day: Day, _ query: Query) -> [Item] {
        var items: [Item] = []
        for (provider, _) in Self.providers where query.providers.contains(provider) {
            guard let phrases = Self.phrases[provider] else { continue }
            let key = "\(seed) \(provider) \(query.contract.rawValue) \(day.number)"
            var draws = SeededGenerator(seed: key.stableHash)
            let count = Int(draws.next() % UInt64(Self.perDay + 1))
            for index in 0..<count {
                let phrase = phrases[Int(draws.next() % UInt64(phrases.count))]
                // Between 07:00 and 17:00.
                let second = Int64(7 * 3_600 + draws.next() % 36_000)
                items.append(
                    Item(
                        time: NewYork.timestamp(on: day, at: .seconds(second)),
                        provider: provider,
                        article:
                            "\(provider)$\(query.contract.rawValue)$\(day.number)$\(index)",
                        headline: "[SIMULATED] \(query.company) \(phrase)"))
            }
        }
        return items.sorted { ($0.time, $0.article) > ($1.time, $1.article) }
    }
}
