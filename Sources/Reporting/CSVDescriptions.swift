extension CSVDescription {
    /// Every CSV file of a run.
    package static let all = [
        fills, orders, trades, lots, equity, rolling, scores, decisions,
    ]

    /// The executions.
    package static let fills = CSVDescription(
        file: "fills.csv", rows: "The executions, in the order they were booked.",
        columns: [
            CSVColumn("time", .time, "When it happened at the venue."),
            CSVColumn("symbol", .text, "The instrument's ticker."),
            CSVColumn("strategy", .text, "Whose order it filled."),
            CSVColumn("order", .integer, "The number of the order it filled."),
            CSVColumn("side", .word(sides), "Which way."),
            CSVColumn("quantity", .decimal, "Shares or contracts; positive."),
            CSVColumn("price", .decimal, "The price of one."),
            CSVColumn("commission", .decimal, "Commission and fees; negative for a rebate."),
            CSVColumn("currency", .text, "ISO 4217 code of the price."),
            CSVColumn("reason", .text, "Why the order was sent; may be empty."),
            CSVColumn("execution", .revision, "The execution's number and its revision."),
            CSVColumn(
                "broker_fee", .decimal,
                "What of the commission the broker keeps; these four add up to it, and are empty "
                    + "where a broker says one sum only."),
            CSVColumn(
                "clearing_fee", .decimal,
                "What tiered pricing passes on for clearing; 0 where it is in the broker's."),
            CSVColumn("sec_fee", .decimal, "The SEC's section 31 fee at the rate of the day."),
            CSVColumn("taf_fee", .decimal, "FINRA's trading activity fee at the rate of the day."),
        ])

    /// The orders.
    package static let orders = CSVDescription(
        file: "orders.csv", rows: "The orders by number, as they stood at the end of the run.",
        columns: [
            CSVColumn("submitted", .time, "When it was sent."),
            CSVColumn("symbol", .text, "The instrument's ticker."),
            CSVColumn("strategy", .text, "Whose order it is."),
            CSVColumn("order", .integer, "Its number, from 1."),
            CSVColumn(
                "purpose", .word(["ENTRY", "EXIT", "PROTECTION"]), "Opens or reduces a position."),
            CSVColumn("side", .word(sides), "Which way."),
            CSVColumn("type", .word(types), "How it finds its price."),
            CSVColumn(
                "quantity", .decimal,
                "Shares or contracts asked for under its last terms; positive. Of a stop, a target or "
                    + "an exit beside them, what the group may fill in all, with what it has filled."
            ),
            CSVColumn("limit_price", .decimal, "The limit; empty for other types."),
            CSVColumn("stop_price", .decimal, "The trigger; empty for other types."),
            CSVColumn("time_in_force", .word(["DAY", "GTC", "GTD", "IOC"]), "How long it works."),
            CSVColumn("state", .word(outcomes), "What became of it, and why."),
            CSVColumn("filled", .decimal, "Shares or contracts that traded."),
            CSVColumn("average_price", .decimal, "Of its executions; empty if nothing traded."),
            CSVColumn("commission", .decimal, "Commission and fees of its executions."),
            CSVColumn("finished", .time, "When it reached its state; empty while it works."),
            CSVColumn("reason", .text, "Why it was sent; may be empty."),
            CSVColumn("revisions", .integer, "How often a change of it was asked for."),
        ])

    /// The round trips.
    package static let trades = CSVDescription(
        file: "trades.csv",
        rows: """
            The round trips that ended, in the order they ended: from the fill that opened a \
            strategy's position in an instrument to the fill that closed it. A fill that crosses \
            zero is divided between two trips, its commission in proportion. Behind a split, quantities \
            and prices are those of the new shares.
            """,
        columns: [
            CSVColumn("entry_time", .time, "When the first fill happened."),
            CSVColumn("exit_time", .time, "When the last fill happened."),
            CSVColumn("symbol", .text, "The instrument's ticker."),
            CSVColumn("strategy", .text, "Whose position it was."),
            CSVColumn("side", .word(["LONG", "SHORT"]), "Opened by buying or by selling."),
            CSVColumn("quantity", .decimal, "The most that was held at once; positive."),
            CSVColumn("entry_price", .decimal, "Average of the fills that enlarged the position."),
            CSVColumn("exit_price", .decimal, "Average of the fills that reduced the position."),
            CSVColumn("gross_profit", .decimal, "Before commissions; negative for a loss."),
            CSVColumn("commission", .decimal, "Commission and fees of its fills."),
            CSVColumn("net_profit", .decimal, "The gross profit less the commission."),
            CSVColumn(
                "return_pct", .ratio,
                "The net profit in percent of the entries' value; empty if that was nothing."
            ),
            CSVColumn("duration_seconds", .decimal, "From the first fill to the last."),
            CSVColumn("fills", .integer, "How many took part."),
            CSVColumn("entry_reason", .text, "Why the first fill was ordered; may be empty."),
            CSVColumn("exit_reason", .text, "Why the last fill was ordered; may be empty."),
            CSVColumn(
                "mae", .decimal,
                "Maximum adverse excursion: the lowest gross profit on the way; at most 0."),
            CSVColumn(
                "mfe", .decimal,
                "Maximum favourable excursion: the highest gross profit on the way; at least 0."),
            CSVColumn("mae_pct", .ratio, "The same in percent of the entries' value."),
            CSVColumn("mfe_pct", .ratio, "The same in percent of the entries' value."),
            CSVColumn(
                "slippage", .decimal,
                """
                What fills cost against the limit, the trigger, or for market orders the bar's \
                open, over quotes the middle of bid and ask; positive was paid; empty when a fill \
                has no such price.
                """),
        ])

    /// The lots.
    package static let lots = CSVDescription(
        file: "lots.csv",
        rows: """
            Positions as lots, by `performance.lot_method`: first what was closed, in the order it was \
            closed, then what was open at the end. A fill that closes several lots has a row for each. \
            Splits change quantities and keep costs; dividends and wash sales are not considered.
            """,
        columns: [
            CSVColumn("opened", .time, "When the lot was opened."),
            CSVColumn("closed", .time, "When it was closed; empty while it is open."),
            CSVColumn("symbol", .text, "The instrument's ticker."),
            CSVColumn("strategy", .text, "Whose lot it is."),
            CSVColumn("side", .word(["LONG", "SHORT"]), "Opened by buying or by selling."),
            CSVColumn(
                "quantity", .decimal,
                "Shares or contracts, in those of the closing; 0 where only cash was paid for a "
                    + "fraction."),
            CSVColumn("cost", .decimal, "What buying cost; empty of an open short lot."),
            CSVColumn("proceeds", .decimal, "What selling brought; empty of an open long lot."),
            CSVColumn(
                "gross_profit", .decimal,
                "Proceeds less cost, before commissions; empty while it is open. Closed lots add up "
                    + "to the profit realised by this method."),
            CSVColumn(
                "commission", .decimal,
                "Its part, by quantity, of the commission and fees of its fills."),
            CSVColumn(
                "net_profit", .decimal,
                "The gross profit less the commission; empty while it is open."),
            CSVColumn(
                "days", .integer, "Days of New York's calendar it was held; empty while it is open."
            ),
            CSVColumn(
                "term", .word(["SHORT_TERM", "LONG_TERM"]),
                "Long when a purchase was held for more than a year, which begins the day after it; "
                    + "short lots never are; empty while it is open."),
        ])

    /// The rolling statistics.
    package static let rolling = CSVDescription(
        file: "rolling.csv",
        rows: """
            Statistics of the last sessions, as each session ended: `performance.rolling_short` (63) and \
            `performance.rolling_long` (252) of them. A cell is empty before there are as many, and where \
            the figure is not defined.
            """,
        columns: [
            CSVColumn("day", .day, "The session."),
            CSVColumn(
                "volatility_short_pct", .ratio,
                "Sample standard deviation of the returns · √252, in percent."),
            CSVColumn(
                "sharpe_short", .ratio, "Mean of (r - f) / sample standard deviation · √252."),
            CSVColumn("volatility_long_pct", .ratio, "The same over the longer window."),
            CSVColumn("sharpe_long", .ratio, "The same over the longer window."),
        ])

    /// The scores.
    package static let scores = CSVDescription(
        file: "scores.csv",
        rows: """
            Scores that strategies noted, in the order of time: `cross_sectional_momentum` all it \
            ranked, at each rebalance; `momentum` the return at each of its decisions.
            """,
        columns: [
            CSVColumn("time", .time, "When it was noted."),
            CSVColumn("strategy", .text, "Who noted it."),
            CSVColumn("symbol", .text, "About what."),
            CSVColumn("score", .ratio, "The score; for these strategies a return, 0.05 is 5 %."),
            CSVColumn(
                "rank", .integer, "The place among those compared, from 1; empty if none were."),
            CSVColumn(
                "held", .decimal, "What the strategy held of it then; negative is short."),
        ])

    /// The decisions.
    package static let decisions = CSVDescription(
        file: "decisions.csv",
        rows: """
            What the engine concluded and why, with `--decisions`: intents and what became of them, rules and \
            their figures, orders, halts, latches, protection; in order.
            """,
        columns: [
            CSVColumn("number", .integer, "Counts the decisions of the run from 1."),
            CSVColumn("time", .time, "The time of the event that it follows from."),
            CSVColumn("strategy", .text, "The strategy concerned; empty for the whole account."),
            CSVColumn("symbol", .text, "The instrument concerned; empty for the whole account."),
            CSVColumn("intent", .integer, "The number of the intent concerned; may be empty."),
            CSVColumn("order", .integer, "The number of the order concerned; may be empty."),
            CSVColumn("kind", .word(DecisionWords.kinds), "What was concluded."),
            CSVColumn(
                "detail", .text,
                "Of which kind: the rule, the cause, the sizing method, the purpose; may be empty."),
            CSVColumn("asked", .decimal, "The shares asked for; negative is a sale."),
            CSVColumn("allowed", .decimal, "What a rule that cut an order has left of it."),
            CSVColumn("value", .decimal, "What a rule has measured, the order counted as filled."),
            CSVColumn("limit", .decimal, "What the rule allows."),
            CSVColumn("excess", .decimal, "By how much value is above limit."),
            CSVColumn(
                "unit", .word(DecisionWords.units), "What value, limit and excess count in."),
            CSVColumn("figures", .text, "All other numbers: `equity=100000.00 price=50.25`."),
            CSVColumn("reason", .text, "The strategy's or the engine's words; may be empty."),
        ])

    /// The equity curve.
    package static let equity = CSVDescription(
        file: "equity.csv", rows: "The account at the end of each session.",
        columns: [
            CSVColumn("day", .day, "The session."),
            CSVColumn("time", .time, "When the account was valued."),
            CSVColumn("equity", .decimal, "Cash and positions at market value."),
            CSVColumn("cash", .decimal, "Cash alone; negative when borrowed."),
            CSVColumn("gross_exposure", .decimal, "The positions' values without sign, added."),
            CSVColumn(
                "return_pct", .ratio,
                "Since the row before or the starting capital, payments left out; empty if that was "
                    + "not positive."),
            CSVColumn(
                "drawdown_pct", .ratio,
                "Percent below the highest row so far or the starting capital; 0 at a high. Payments "
                    + "move the high."),
            CSVColumn(
                "cash_flow", .decimal,
                "What was paid in since the row before; negative was paid out."),
        ])

    private static let sides = ["BUY", "SELL"]
    private static let types = [
        "MARKET", "LIMIT", "STOP", "STOP_LIMIT", "TRAILING_STOP", "MARKET_ON_OPEN",
        "LIMIT_ON_OPEN", "MARKET_ON_CLOSE", "LIMIT_ON_CLOSE",
    ]
    private static let outcomes = [
        "WORKING", "FILLED", "CANCELLED_REQUESTED", "CANCELLED_EXPIRED", "CANCELLED_LINKED",
        "CANCELLED_EXTERNAL",
        "REJECTED_PRICE_NOT_ON_TICK", "REJECTED_INVALID_TERMS", "REJECTED_NO_PARENT",
        "REJECTED_NOT_TRADABLE",
    ]
}
