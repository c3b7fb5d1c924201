import TWSProtocol

/// What a gateway answers in place of history.
struct HistoryAnswer: Error, Hashable {
    /// The code of the error message.
    let code: Int32
    /// The text of the error message.
    let text: String

    /// The history service's own words.
    static func service(_ text: String) -> HistoryAnswer {
        HistoryAnswer(
            code: 162, text: "Historical Market Data Service error message:\(text)")
    }

    /// A request that cannot be meant.
    static func invalid(_ cause: String) -> HistoryAnswer {
        HistoryAnswer(code: 321, text: "Error validating request.-'bX' : cause - \(cause)")
    }

    /// Asked for too much in too little time.
    static let paced = service("Historical data request pacing violation")
    /// More than one request may bring.
    static let tooLong = service("Time length exceed max.")

    /// There is no such data of the contract.
    static func none(_ listed: ListedContract, _ kind: WhatToShow) -> HistoryAnswer {
        let contract = listed.contract
        let pair = contract.secType == .forex ? ".\(contract.currency)" : ""
        return service(
            "HMDS query returned no data: \(contract.symbol)\(pair)@\(contract.exchange) "
                + kind.serviceName)
    }

    /// Data of this kind do not exist for contracts of this kind.
    static func unavailable(
        _ listed: ListedContract, _ duration: HistoryDuration, _ size: WireBarSize
    ) -> HistoryAnswer {
        service(
            "No data of type EODChart is available for the exchange '\(listed.contract.exchange)' and "
                + "the security type '\(listed.contract.secType.serviceName)' and '\(duration.text)' "
                + "and '\(size.word)'")
    }
}

extension HistoryAnswer {
    /// What a gateway makes of a request whose fields do not go together.
    init(_ refusal: HistoryRefusal) {
        self =
            switch refusal {
            case .unknownBarSize:
                .invalid(
                    "Historical data bar size setting is invalid. Legal ones are: "
                        + WireBarSize.known.map(\.word).joined(separator: ", "))
            case .unknownDuration(let text):
                .invalid(
                    "Historical data query duration string [\(text)] is invalid. Format is an integer, "
                        + "a space and a unit (S|D|W|M|Y)")
            case .durationOutOfRange(let duration, let most): Self.outOfRange(duration, most)
            case .tooLongForOneSecondBars, .barTooShort: .tooLong
            case .barTooLong(let size, let duration, _):
                .service("invalid step: \(size.word) for \(duration.text)")
            case .endNotAllowed: .invalid("End Date not supported with adjusted last")
            case .sessionsNeedDailyBars:
                HistoryAnswer(
                    code: 10_295,
                    text: "Invalid bar size setting: schedules are served with bars of 1 day only")
            case .updatesNeedNoEnd:
                .invalid("Unable to keep data up to date when end date is specified")
            case .updatesNeedLongerBars:
                .invalid("Unable to keep data up to date for bars shorter than 5 secs")
            case .updatesNotOffered(let kind):
                .invalid("Unable to keep data up to date for \(kind.word)")
            }
    }

    private static func outOfRange(_ duration: HistoryDuration, _ most: Int32) -> HistoryAnswer {
        let isTooShort = duration.text.hasPrefix("-") || duration.text.hasPrefix("0")
        if isTooShort { return .invalid("Invalid time length: \(duration.text)") }
        return switch duration {
        case .seconds:
            .invalid(
                "Historical data requests for durations longer than \(most) seconds must be made in days"
            )
        case .days:
            .invalid(
                "Historical data requests for durations longer than \(most) days must be made in years"
            )
        case .weeks:
            .invalid(
                "Historical data requests for durations longer than \(most) weeks must be made in years"
            )
        case .months:
            .invalid(
                "Historical data requests for durations longer than \(most) months must be made in "
                    + "years")
        case .years, .other: .tooLong
        }
    }
}

extension WhatToShow {
    /// The kind as the history service calls it.
    var serviceName: String {
        switch self {
        case .trades: "Trades"
        case .midpoint: "Midpoint"
        case .bid: "Bid"
        case .ask: "Ask"
        case .bidAsk: "Bid_Ask"
        case .adjustedLast: "Adjusted_Last"
        default: word
        }
    }
}

extension SecurityType {
    /// The kind as the history service calls it.
    fileprivate var serviceName: String {
        switch self {
        case .stock: "Stock"
        case .option: "Option"
        case .future: "Future"
        case .index: "Index"
        case .forex: "Forex"
        default: word
        }
    }
}
