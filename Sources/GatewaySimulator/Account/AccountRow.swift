import MarketState
import Primitives
import TWSProtocol

/// One of the values that describe an account to its clients.
struct AccountRow: Hashable, Sendable {
    /// What it is.
    var key: String
    /// The value: a number, a word or a name.
    var value: String
    /// Its currency; empty where it has none, `BASE` for the sum in the account's own.
    var currency = ""
    /// Whether it says something of one currency or of their sum.
    var isLedger = false
}

extension AccountLedger {
    /// All values, in the order in which gateways send them: by name, sums before single currencies.
    func rows(at timestamp: Timestamp) -> [AccountRow] {
        let figures = figures
        let rows = words(figures, timestamp) + amounts(figures) + ledgerRows()
        return rows.sorted { left, right in
            (left.key, left.currency == "BASE" ? 0 : 1, left.currency)
                < (right.key, right.currency == "BASE" ? 0 : 1, right.currency)
        }
    }

    /// What has no currency.
    private func words(_ figures: AccountFigures, _ timestamp: Timestamp) -> [AccountRow] {
        let name = settings.account.name
        var rows = [
            AccountRow(key: "AccountCode", value: name),
            AccountRow(key: "AccountReady", value: "true"),
            AccountRow(key: "AccountType", value: "INDIVIDUAL"),
            AccountRow(key: "ColumnPrio-S", value: "1"),
            AccountRow(
                key: "Cushion", value: cushion(figures.excessLiquidity, figures.netLiquidation)),
            AccountRow(
                key: "Leverage-S",
                value: leverage(figures.grossPositionValue, figures.netLiquidation)),
            AccountRow(
                key: "LookAheadNextChange", value: String(nextMarginChange(after: timestamp))),
            AccountRow(key: "NLVAndMarginInReview", value: "false"),
            AccountRow(key: "SegmentTitle-S", value: "US Securities"),
            AccountRow(key: "SettledCashByDate", value: settledCashByDate),
            AccountRow(
                key: "TradingType-S", value: settings.kind == .margin ? "STKNOPT" : "STKCASH"),
            AccountRow(key: "WhatIfPMEnabled", value: "true"),
        ]
        for (ahead, suffix) in ["", "T+1", "T+2", "T+3", "T+4"].enumerated() {
            let remaining = dayTradesRemaining(ahead: ahead)
            rows.append(
                AccountRow(
                    key: "DayTradesRemaining\(suffix)", value: remaining.map(String.init) ?? "-1"))
        }
        return rows
    }

    /// What is counted in the account's currency, most of it also for securities (`-S`).
    private func amounts(_ figures: AccountFigures) -> [AccountRow] {
        let (available, excess) = (figures.availableFunds, figures.excessLiquidity)
        let (initial, maintenance) = (figures.initialMargin, figures.maintenanceMargin)
        let split: [(String, ExactMoney)] =
            [
                ("AvailableFunds", available), ("EquityWithLoanValue", figures.equityWithLoan),
                ("ExcessLiquidity", excess), ("FullAvailableFunds", available),
                ("FullExcessLiquidity", excess), ("FullInitMarginReq", initial),
                ("FullMaintMarginReq", maintenance),
                ("GrossPositionValue", figures.grossPositionValue), ("InitMarginReq", initial),
                ("LookAheadAvailableFunds", available), ("LookAheadExcessLiquidity", excess),
                ("LookAheadInitMarginReq", initial), ("LookAheadMaintMarginReq", maintenance),
                ("MaintMarginReq", maintenance), ("NetLiquidation", figures.netLiquidation),
                ("PreviousDayEquityWithLoanValue", previousDayEquity),
                ("TotalCashValue", figures.cash),
            ] + regulationT(figures) + Self.unused.map { ($0, .zero) }
        let single: [(String, ExactMoney)] = [
            ("BuyingPower", figures.buyingPower), ("NetLiquidationUncertainty", .zero),
            ("SettledCash", figures.settledCash),
        ]
        let currency = settings.currency
        return single.map { AccountRow(key: $0, value: Self.cents($1), currency: currency) }
            + split.flatMap { key, amount in
                ["", "-S"].map {
                    AccountRow(key: key + $0, value: Self.cents(amount), currency: currency)
                }
            }
    }

    /// What only accounts that borrow have.
    private func regulationT(_ figures: AccountFigures) -> [(String, ExactMoney)] {
        guard settings.kind == .margin else { return [] }
        return [
            ("RegTEquity", figures.netLiquidation), ("RegTMargin", figures.initialMargin),
            ("SMA", figures.netLiquidation - figures.initialMargin),
        ]
    }

    /// What is the same in all accounts here: nothing.
    private static let unused = [
        "AccruedCash", "AccruedDividend", "Billable", "Guarantee", "IncentiveCoupons",
        "IndianStockHaircut", "PASharesValue", "PhysicalCertificateValue", "PostExpirationExcess",
        "PostExpirationMargin", "TotalDebitCardPendingCharges",
    ]

    /// An amount with two decimals.
    static func cents(_ amount: ExactMoney) -> String {
        AccountMath.money(amount).roundedToCents.description
    }

    /// What of the net liquidation value may be lost, in six decimals at most.
    private func cushion(_ excess: ExactMoney, _ net: ExactMoney) -> String {
        guard net > .zero else { return "0" }
        let millionths = min(max(excess, -net), net).units * 1_000_000 / net.units
        guard millionths != 1_000_000 else { return "1" }
        return Money(units: Int64(millionths)).description
    }

    /// Positions over net liquidation value, in two decimals.
    private func leverage(_ gross: ExactMoney, _ net: ExactMoney) -> String {
        guard net > .zero else { return "0.00" }
        let hundredths = gross.units * 100 / net.units
        return Money(units: Int64(clamping: min(hundredths, 1_000_000) * 10_000)).description
    }

    /// When a session's end changes what margins count, in seconds since 1970 UTC.
    private func nextMarginChange(after timestamp: Timestamp) -> Int64 {
        let calendar = SessionCalendar.newYork
        var day = calendar.day(of: timestamp)
        for _ in 0..<14 {
            if let session = calendar.session(on: day), session.close > timestamp {
                return session.close.nanoseconds / 1_000_000_000
            }
            day = day.advanced(by: 1)
        }
        return 0
    }

    /// What is settled today and on each day on which more will be: `20240102:1000.00;20240103:1500.00`.
    private var settledCashByDate: String {
        let pot = pots[0]
        var sum = pot.settled
        var parts = ["\(WireClock.text(today)):\(Self.cents(sum))"]
        for pending in pot.pending {
            sum += pending.amount
            parts.append("\(WireClock.text(pending.day)):\(Self.cents(sum))")
        }
        return parts.joined(separator: ";")
    }
}

extension WireClock {
    /// A day as texts have it: `20240102`.
    fileprivate static func text(_ day: Day) -> String {
        day.description.filter { $0 != "-" }
    }
}
