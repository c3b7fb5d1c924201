package import TWSProtocol

/// Why a ledger did not book something; nothing changed then.
package enum AccountFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// An amount is beyond what an account can hold.
    case tooLarge(String)
    /// A fill of nothing, or of a negative quantity.
    case emptyFill(String)
    /// An identifier without a revision at its end.
    case malformedExecution(String)
    /// No fill of that identifier was booked.
    case unknownExecution(String)
    /// A correction names another instrument than the fill it corrects.
    case otherInstrument(String)
    /// Something nobody can own.
    case notTradable(String)
    /// Nothing of it is held.
    case noPosition(String)
    /// A split of nothing, or into nothing.
    case invalidRatio(Int64, Int64)
    /// A saved ledger names a contract that is not listed.
    case unknownContract(ContractID)
    /// A saved ledger holds a text that is no amount.
    case malformedAmount(String)
    /// A saved ledger holds a day, a time or a number no account has.
    case implausible(String)
    /// No account of that name.
    case unknownAccount(AccountID)

    /// What is wrong and what to do.
    package var description: String {
        switch self {
        case .tooLarge(let what): "\(what) is larger than an account can hold: use smaller numbers"
        case .emptyFill(let id): "execution \(id) has no quantity above 0"
        case .malformedExecution(let id):
            "execution id '\(id)' does not end in a point and a revision, as 0000e0d5.01.01.01 does"
        case .unknownExecution(let id): "no execution '\(id)' was booked: see the ledger's report"
        case .otherInstrument(let id): "execution \(id) was of another instrument: correct that one"
        case .notTradable(let symbol): "\(symbol) cannot be owned: name a tradable contract"
        case .noPosition(let symbol): "nothing of \(symbol) is held"
        case .invalidRatio(let new, let old):
            "a split of \(new) for \(old) is none: both numbers must be above 0"
        case .unknownContract(let id):
            "the saved ledger holds contract \(id), which is not listed: list it or start afresh"
        case .malformedAmount(let text): "the saved ledger holds '\(text)', which is no amount"
        case .implausible(let what): "the saved ledger holds \(what), which cannot be"
        case .unknownAccount(let account): "there is no account \(account)"
        }
    }
}
