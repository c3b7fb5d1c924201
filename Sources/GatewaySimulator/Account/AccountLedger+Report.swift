package import Primitives
package import TWSProtocol

/// What an account holds and what was booked, for whoever compares it with other ledgers.
package struct AccountReport: Hashable, Sendable {
    /// A position.
    package struct Position: Hashable, Sendable {
        /// What is held.
        package let instrument: AccountInstrument
        /// How much; negative when short.
        package let quantity: Quantity
        /// What one share or contract cost with commissions, the multiplier in it.
        package let averageCost: Money
        /// The price it is valued at.
        package let mark: Price
        /// What closing brought since the account began, less commissions.
        package let realized: Money
        /// Profit and loss of what is held.
        package let unrealized: Money
        /// All commissions.
        package let commissions: Money
    }

    /// An execution in its newest revision.
    package struct Execution: Hashable, Sendable {
        /// The fill.
        package let fill: AccountFill
        /// What it was when it was first booked, where it was corrected since.
        package let original: AccountFill?
        /// Whether it was taken back.
        package let isBusted: Bool
    }

    /// Money of one currency.
    package struct Cash: Hashable, Sendable {
        /// ISO 4217 code.
        package let currency: String
        /// All of it.
        package let total: Money
        /// What of it is settled.
        package let settled: Money
    }

    /// The account.
    package let account: AccountID
    /// What is held, and what was and is closed (quantity 0), in the order of first trades.
    package let positions: [Position]
    /// Money by currency, the account's own first.
    package let cash: [Cash]
    /// All executions by time; equal times in the order of positions.
    package let executions: [Execution]
    /// Money that moved without a fill.
    package let movements: [CashPotMovement]
    /// What all of it is worth.
    package let netLiquidation: Money
}

extension AccountLedger {
    /// What the account holds and what was booked.
    package var report: AccountReport {
        var executions: [AccountReport.Execution] = []
        for holding in holdings {
            for case .fill(let booked) in holding.entries {
                executions.append(
                    AccountReport.Execution(
                        fill: booked.fill, original: booked.original, isBusted: booked.isBusted))
            }
        }
        let order = executions.indices.sorted { left, right in
            (executions[left].fill.time, left) < (executions[right].fill.time, right)
        }
        return AccountReport(
            account: settings.account, positions: holdings.map(line),
            cash: pots.map { pot in
                AccountReport.Cash(
                    currency: pot.currency, total: AccountMath.money(pot.total),
                    settled: AccountMath.money(pot.settled))
            }, executions: order.map { executions[$0] }, movements: movements,
            netLiquidation: AccountMath.money(figures.netLiquidation))
    }

    private func line(_ holding: AccountHolding) -> AccountReport.Position {
        let position = holding.position
        return AccountReport.Position(
            instrument: position.instrument, quantity: position.quantity,
            averageCost: AccountMath.money(position.averageCost), mark: position.mark,
            realized: AccountMath.money(position.realized),
            unrealized: AccountMath.money(position.unrealized),
            commissions: AccountMath.money(position.commissions))
    }
}
