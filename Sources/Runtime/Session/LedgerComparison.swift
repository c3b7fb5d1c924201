import Primitives

/// A session's ledger against the simulated gateway's own.
enum LedgerComparison {
    /// Each difference, as a sentence; none where both are equal.
    ///
    /// - Parameters:
    ///   - positions: those of the session that are not flat, by symbol.
    ///   - cash: the session's.
    ///   - ledger: the gateway's answer to `ledger`, one line of JSON.
    static func differences(
        of positions: [(symbol: String, quantity: Quantity)], cash: Money, from ledger: String
    ) throws(RunFailure) -> [String] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(Array(ledger.utf8))
        } catch {
            throw .defect("the simulated gateway's ledger cannot be read: \(error)")
        }
        guard case .array(let accounts)? = value["accounts"], let account = accounts.first else {
            throw .defect("the simulated gateway's ledger has no account")
        }
        var differences: [String] = []
        var theirs: [String: Quantity] = [:]
        if case .array(let rows)? = account["positions"] {
            for row in rows {
                guard case .text(let symbol)? = row["symbol"],
                    case .number(let text)? = row["quantity"],
                    let quantity = try? Quantity(text)
                else {
                    throw .defect("the simulated gateway's ledger has a position without figures")
                }
                if quantity != .zero {
                    theirs[String(symbol.map { $0 == " " ? "." : $0 })] = quantity
                }
            }
        }
        for (symbol, quantity) in positions {
            let other = theirs.removeValue(forKey: symbol) ?? .zero
            if other != quantity {
                differences.append("\(symbol): \(quantity) here, \(other) at the gateway")
            }
        }
        for symbol in theirs.keys.sorted() {
            differences.append("\(symbol): nothing here, \(theirs[symbol] ?? .zero) at the gateway")
        }
        guard case .number(let text)? = account["cash"]?["USD"]?["total"],
            let total = try? Money(text)
        else { throw .defect("the simulated gateway's ledger has no cash") }
        if total != cash { differences.append("cash: \(cash) here, \(total) at the gateway") }
        return differences
    }
}
