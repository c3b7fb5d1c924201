import ArgumentParser
import Configuration
import Primitives
import Runtime
import TWSClient
import TWSProtocol

extension ExploreCommand {
    /// Which instrument.
    struct Instrument: ParsableArguments {
        @Option(help: "Its kind: STK, IND, CASH, FUT, OPT, CRYPTO ...")
        var type = "STK"

        @Option(help: "Where it trades.")
        var exchange = "SMART"

        @Option(help: "Where it is listed, if the symbol alone is not unique.")
        var primaryExchange = ""

        @Option(help: "What it trades in.")
        var currency = "USD"

        @Option(help: "A future's or option's last day or month: yyyymmdd or yyyymm.")
        var expiry = ""

        func contract(_ symbol: String) -> Contract {
            var contract = Contract()
            contract.symbol = symbol
            contract.secType = SecurityType(word: type)
            contract.exchange = exchange
            contract.primaryExchange = primaryExchange
            contract.currency = currency
            contract.lastTradeDateOrContractMonth = expiry
            return contract
        }
    }

    struct Contracts: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "contracts",
            abstract: "Contracts that fit a symbol, or with --search a part of a name.")

        @OptionGroup var options: Options
        @OptionGroup var instrument: Instrument

        @Argument(help: "A symbol; with --search the beginning of a symbol or name.")
        var symbol: String

        @Flag(help: "Look for symbols and names that begin so.")
        var search = false

        func run() throws {
            let (symbol, search, contract) = (symbol, search, instrument.contract(symbol))
            try options.show(
                "contracts",
                [
                    "contract_id", "symbol", "type", "exchange", "listed_at", "currency",
                    "price_step", "name",
                ]
            ) { client, _ in
                if search {
                    return try await client.matchingSymbols(symbol).map { sample in
                        Row(
                            .number("\(sample.conId)"), .text(sample.symbol),
                            .text(sample.secType.word), .none, .text(sample.primaryExchange),
                            .text(sample.currency), .none, .text(sample.description))
                    }
                }
                return try await client.contractDetails(contract).map { found in
                    Row(
                        .number("\(found.contract.conId)"), .text(found.contract.symbol),
                        .text(found.contract.secType.word), .text(found.contract.exchange),
                        .text(found.contract.primaryExchange), .text(found.contract.currency),
                        .number(found.minTick), .text(found.longName))
                }
            }
        }
    }

    struct Quotes: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "quotes",
            abstract: "One quote of each symbol; takes up to 11 seconds.",
            discussion: "Where live data are not subscribed, delayed ones are shown and marked.")

        @OptionGroup var options: Options
        @OptionGroup var instrument: Instrument

        @Argument(help: "Symbols.")
        var symbols: [String]

        func run() throws {
            let contracts = symbols.map { instrument.contract($0) }
            try options.show(
                "quotes",
                [
                    "symbol", "bid", "bid_size", "ask", "ask_size", "last", "volume", "close",
                    "data",
                ]
            ) { client, target in
                var asked = QuoteOptions()
                asked.mode = target.settings.mode
                asked.allowsDelayed = target.settings.delayedFallback
                let calls = contracts.map { contract in
                    Task { [asked] in try await client.snapshot(contract, asked) }
                }
                var rows: [Row] = []
                for (contract, call) in zip(contracts, calls) {
                    let quote = try await call.value
                    rows.append(
                        Row(
                            .text(contract.symbol), .number(quote.bid), .number(quote.bidSize),
                            .number(quote.ask), .number(quote.askSize), .number(quote.last),
                            .number(quote.volume), .number(quote.close), .text("\(quote.mode)")))
                }
                return rows
            }
        }
    }

    struct History: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "history",
            abstract: "Bars of the past.",
            discussion: """
                A range of any length is asked for in pieces, at the pace the broker allows; times are \
                in UTC.

                martlet explore history AAPL --size "1 day" --from 2024-01-01 --to 2024-07-01 --csv
                """)

        @OptionGroup var options: Options
        @OptionGroup var instrument: Instrument

        @Argument(help: "The symbol.")
        var symbol: String

        @Option(help: "A bar's length as the broker writes it: \"1 min\", \"5 mins\", \"1 day\".")
        var size = "1 day"

        @Option(help: "How far back without --from: \"10 D\", \"3600 S\", \"1 Y\".")
        var duration = "10 D"

        @Option(help: "The first day.")
        var from: String?

        @Option(help: "The day behind the last; today's included when left out.")
        var to: String?

        @Option(help: "What bars are made of: TRADES, MIDPOINT, BID, ASK, ADJUSTED_LAST ...")
        var what = "TRADES"

        @Flag(help: "Also what trades before and behind regular hours.")
        var allHours = false

        func validate() throws {
            if case .unknown = WireBarSize(word: size) {
                let known = WireBarSize.known.map(\.word).joined(separator: ", ")
                throw ValidationError("--size is \(size): known are \(known).")
            }
            if case .other = HistoryDuration(text: duration) {
                throw ValidationError(
                    "--duration is \(duration): a number and S, D, W, M or Y, as in \"10 D\".")
            }
            if case .unknown = WhatToShow(word: what) {
                let known = WhatToShow.known.map(\.word).joined(separator: ", ")
                throw ValidationError("--what is \(what): known are \(known).")
            }
            for (name, text) in [("from", from), ("to", to)] {
                guard let text, Day(text) == nil else { continue }
                throw ValidationError("--\(name) is \(text): a day is written 2024-01-31.")
            }
            if to != nil, from == nil { throw ValidationError("--to needs --from.") }
        }

        func run() throws {
            var question = BarQuestion(instrument.contract(symbol), WireBarSize(word: size))
            question.what = WhatToShow(word: what)
            question.regularHours = !allHours
            let first = from.flatMap { Day($0) }.map { Timestamp(day: $0) }
            let end = to.flatMap { Day($0) }.map { Timestamp(day: $0) } ?? .distantFuture
            let duration = HistoryDuration(text: duration)
            try options.show(
                "bars",
                ["time", "open", "high", "low", "close", "volume", "average", "trades"]
            ) { [question] client, _ in
                let bars =
                    if let first {
                        try await client.bars(question, from: first, to: end)
                    } else {
                        try await client.recentBars(question, duration)
                    }
                return bars.map { bar in
                    Row(
                        .text("\(bar.time)"), .number("\(bar.open)"), .number("\(bar.high)"),
                        .number("\(bar.low)"), .number("\(bar.close)"), .number(bar.volume),
                        .number(bar.average), .number(bar.trades))
                }
            }
        }
    }
}

extension GatewaySettings {
    /// How fresh prices have to be.
    fileprivate var mode: MarketDataMode {
        switch marketDataType {
        case .live: .live
        case .frozen: .frozen
        case .delayed: .delayed
        case .delayedFrozen: .delayedFrozen
        }
    }
}
