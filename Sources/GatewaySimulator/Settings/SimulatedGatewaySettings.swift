package import MarketSimulation
package import MarketState
package import Primitives
package import Simulation
package import TWSProtocol

/// What a simulated gateway is.
package struct SimulatedGatewaySettings: Sendable {
    /// The highest version it agrees to.
    package var maxVersion = ServerVersion.supported.upperBound
    /// The accounts of its login.
    package var accounts: [AccountID] = ["DU1234567"]
    /// What each of them is; the names are those of `accounts`.
    package var account = GatewayAccountSettings(account: .none)
    /// How many clients it serves at once.
    package var clientMax = 32
    /// The client that, besides client 0, receives the events of all clients' orders; `nil` for none.
    package var masterClient: ClientID?
    /// Whether messages beyond the limit wait their turn.
    package var pacesMessages = true
    /// Whether messages beyond the limit are warned of by 100, and the third warning ends the session.
    package var rejectsPacingViolations = false
    /// When its session clock begins.
    package var start: Timestamp
    /// What all draws follow from.
    package var seed: UInt64 = 1
    /// Where its market's prices come from.
    package var market = MarketSource.synthetic(SyntheticTraits())
    /// How much data it gives, and how.
    package var data = GatewayDataSettings()
    /// How orders fill, and what shares cost. Other contracts cost what `OrderCommissions` says.
    package var rules = SimulatedGatewaySettings.usualRules

    private static var usualRules: VenueRules {
        var rules = VenueRules(calendar: .newYork)
        rules.commission = .ibkrFixed
        return rules
    }

    /// The sessions of its market.
    package var calendar: SessionCalendar { rules.calendar }

    /// The usual settings.
    package init(start: Timestamp) { self.start = start }

    /// What each account is.
    var accountSettings: [GatewayAccountSettings] {
        accounts.map { name in
            var settings = account
            settings.account = name
            return settings
        }
    }
}
