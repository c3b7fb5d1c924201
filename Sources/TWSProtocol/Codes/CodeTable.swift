/// What is known of the gateway's codes, from the broker's list and from what was seen live.
enum CodeTable {
    /// All rows. No code has two.
    static let rows: [CodeRow] = orders + changes + requests + subscriptions + session + local

    private static func each(
        _ codes: [Int], _ kind: CodeKind, _ scope: CodeScope, _ effect: CodeEffect, _ advice: String
    ) -> [CodeRow] {
        codes.map { CodeRow($0...$0, kind, scope, effect, advice) }
    }

    private static func one(
        _ code: Int, _ kind: CodeKind, _ scope: CodeScope, _ effect: CodeEffect, _ advice: String
    ) -> CodeRow {
        CodeRow(code...code, kind, scope, effect, advice)
    }

    // MARK: - Orders

    private static let orders: [CodeRow] =
        orderRefusals + [
            one(
                103, .reject, .order, .takeHigherOrderID,
                "Order id used before: ask for the next id and send the order once more."),
            one(
                202, .reject, .order, .cancelReported,
                "The order was cancelled: its status confirms it. If nobody here asked for it, "
                    + "read the reason in the text."),
            one(
                399, .warning, .order, .orderStays,
                "A note on the order, which stays alive: read the text."),
            one(
                404, .warning, .order, .orderWaits,
                "No shares to borrow now: the order waits while the broker looks for them."),
            one(
                481, .warning, .order, .orderAltered,
                "The broker reduced the order's size: go by the size of the open order."),
            one(
                2109, .warning, .order, .orderStays,
                "The wish to trade outside regular hours was ignored; the order is alive."),
            one(
                2137, .warning, .order, .orderWaits,
                "The order would turn the position round: confirm it in TWS, or let the gateway "
                    + "bypass order precautions for API orders."),
            one(
                10006, .reject, .order, .resendAfterParent,
                "The parent order is not there yet: send the child again after it."),
            one(
                10349, .warning, .order, .orderAltered,
                "The gateway set the time in force from a preset because none was sent; the order "
                    + "is alive. Always send one."),
        ]
        + each(
            [2168, 2169], .warning, .order, .orderStays,
            "Orders for electronic or firm quotes only are gone: never set those fields.")
        + each(
            [10311, 10329], .warning, .order, .orderStays,
            "A note on routing straight to an exchange; the order is alive.")

    private static let orderRefusals: [CodeRow] =
        orderRefusalsOfTerms + orderRefusalsOfAccount
    private static let orderRefusalsOfTerms: [CodeRow] =
        each(
            [106, 107], .reject, .order, .rejected,
            "The order is not complete: fill in what the text names.")
        + each(
            [109, 163, 164, 382, 383], .reject, .order, .rejected,
            "A precaution of the gateway's presets on price or size: change the order, widen the "
                + "preset, or send it with the precautions overridden.")
        + each(
            [110], .reject, .order, .rejected,
            "The price is off the exchange's grid: round it by the contract's market rule.")
        + each(
            [111, 113], .reject, .order, .rejected,
            "The time in force does not fit the order type: choose another.")
        + each(
            [116, 387, 412], .reject, .order, .rejected,
            "The exchange does not take that kind of order, or is not connected.")
        + each([303], .reject, .order, .rejected, "The action is neither buy nor sell: correct it.")
        + each(
            [400, 439, 440, 441, 442, 443], .reject, .order, .rejected,
            "The broker's algorithm does not take these parameters: correct them.")
        + each(
            [411], .reject, .order, .rejected,
            "Trading outside regular hours does not fit this order: take the wish away.")
        + each(
            [413], .reject, .order, .rejected,
            "A what-if has to be transmitted: it places no order.")
        + each(
            [421, 422], .reject, .order, .rejected,
            "Route or clearing attributes are wrong: correct them.")
        + each([434], .reject, .order, .rejected, "The order's size is zero: correct it.")
        + each(
            [10242, 10243, 10247, 10248, 10249, 10250, 10251, 10252, 10318], .reject, .order,
            .rejected,
            "Parts of a share are not allowed here: use a whole number.")
        + each(
            [10268, 10269, 10270], .reject, .order, .rejected,
            "A field is set that the broker no longer knows: leave it empty.")
        + each(
            [10289, 10290, 10293], .reject, .order, .rejected,
            "Crypto orders take an amount of cash: give that.")
        + each(
            [10324, 10325, 10326, 10327], .reject, .order, .rejected,
            "The group of orders that cancel each other breaks a rule: read the text.")
    private static let orderRefusalsOfAccount: [CodeRow] =
        each(
            [154], .reject, .order, .rejected,
            "The security is halted: try again after the halt.")
        + each(
            [201], .reject, .order, .rejected,
            "The broker refused the order: read the reason in the text. Never send it again blindly."
        )
        + each([435], .reject, .order, .rejected, "The order names no account: set it.")
        + each(
            [436], .reject, .order, .rejected,
            "An advisor's order needs an account, a group or an allocation: set one.")
        + each(
            [460], .reject, .order, .rejected,
            "The account may not trade this: ask for the permission in the account's settings.")

    // MARK: - Changes and cancels

    private static let changes: [CodeRow] =
        [
            one(
                104, .reject, .change, .rejected,
                "The order is filled, so it cannot be changed: wait for its executions."),
            one(
                105, .reject, .change, .orderStays,
                "The change does not fit the order: read the open order, or cancel and replace it."),
            one(
                329, .reject, .change, .orderStays,
                "An order's type cannot be changed: cancel and replace it."),
            one(
                2102, .warning, .change, .retryChange,
                "The order is still being processed: change it a little later."),
        ]
        + each(
            [135, 10147], .reject, .cancel, .rejected,
            "The order to cancel was not found: compare all orders with the broker.")
        + each(
            [136, 161, 10148], .reject, .cancel, .rejected,
            "The order cannot be cancelled as it is now, mostly filled or cancelled: ask for its "
                + "state.")

    // MARK: - Requests

    private static let requests: [CodeRow] =
        requestRefusals + [
            one(
                165, .warning, .request, .none,
                "A message of the history or scanner service: nothing to do."),
            one(
                200, .reject, .orderOrRequest, .rejected,
                "No contract fits, or several do: name it by its id, or by more fields."),
            one(
                203, .reject, .orderOrRequest, .rejected,
                "The account may not trade this contract, or its currency is missing."),
            one(
                320, .reject, .orderOrRequest, .rejected,
                "The gateway could not read the request: a fault of the program, report it with "
                    + "the log."),
            one(
                321, .reject, .orderOrRequest, .rejected,
                "The gateway found the request invalid: read the text. Never send it again blindly."
            ),
            one(
                322, .reject, .orderOrRequest, .rejected,
                "The gateway could not carry out the request: read the text."),
            one(
                323, .reject, .orderOrRequest, .rejected,
                "The broker's server failed: read the text."),
            one(
                392, .reject, .orderOrRequest, .rejected,
                "The contract has expired: use the next one."),
            one(
                2152, .information, .request, .none,
                "The exchanges that make up the book: nothing to do."),
            one(
                2174, .warning, .request, .none,
                "A time without its zone was read in the gateway's: name the zone."),
            one(
                10285, .reject, .orderOrRequest, .rejected,
                "The program speaks a version that knows no parts of shares: negotiate 163 or more."
            ),
        ]
        + each(
            [300, 310, 365, 366, 10185], .information, .request, .alreadyGone,
            "There was nothing to cancel: nothing to do.")
        + each(
            [478, 492], .warning, .request, .none,
            "The kind of data does not fit what was asked before: read the text.")

    private static let requestRefusals: [CodeRow] =
        each(
            [101], .reject, .request, .freeSlot,
            "All market data lines are in use: end some, or buy more.")
        + each(
            [309], .reject, .request, .freeSlot,
            "All order books are in use: end one.")
        + each(
            [10190], .reject, .request, .freeSlot,
            "All tick-by-tick subscriptions are in use: end one.")
        + each(
            [102, 385, 386], .reject, .request, .rejected,
            "The request's id is in use: take a new one.")
        + each(
            [162], .reject, .request, .rejected,
            "The history service refused: read the reason in the text.")
        + each([166], .reject, .request, .rejected, "An expired contract has no such history.")
        + each(
            [354, 10168, 10186], .reject, .request, .askForDelayed,
            "Market data are not subscribed: subscribe them, or allow delayed data.")
        + each(
            [414], .reject, .request, .rejected,
            "A snapshot takes no list of generic ticks: leave it out.")
        + each(
            [430], .reject, .request, .rejected,
            "There are no fundamentals for this contract.")
        + each(
            [10187], .reject, .request, .rejected,
            "The account may not have ticks of the past: subscribe the data.")
        + each(
            [10189], .reject, .request, .rejected,
            "Tick-by-tick data were refused: wait, then read the reason in the text.")
        + each(
            [10295], .reject, .request, .rejected,
            "The trading schedule comes for days only: ask with a bar of one day.")
        + each(
            [10299], .reject, .request, .rejected,
            "Ask with the kind of data that the text names.")
        + each(
            [10314], .reject, .request, .rejected,
            "The end of the time asked for is written wrongly: a fault of the program, report it.")

    // MARK: - Subscriptions

    private static let subscriptions: [CodeRow] =
        [
            one(
                316, .warning, .subscription, .subscriptionTerminated(cancelFirst: false),
                "The order book was halted: subscribe again."),
            one(
                317, .warning, .subscription, .clearOrderBook,
                "The order book begins anew: empty both sides."),
            one(
                420, .reject, .subscription, .subscriptionTerminated(cancelFirst: false),
                "Real-time data were refused: wait, then subscribe again."),
            one(
                2188, .information, .subscription, .subscriptionStays,
                "A note on the data: nothing to do."),
            one(
                10090, .warning, .subscription, .subscriptionStays,
                "A part of the data is not subscribed; the rest comes."),
            one(
                10182, .reject, .subscription, .subscriptionTerminated(cancelFirst: false),
                "Bars that were to follow history have stopped: ask for them again."),
        ]
        + each(
            [10089, 10091, 10167], .warning, .subscription, .delayedFollows,
            "These data are not subscribed; delayed data come where they were asked for.")
        + each(
            [10198, 10225], .reject, .subscription, .subscriptionTerminated(cancelFirst: true),
            "The broker ended the subscription: cancel it, then subscribe again.")

    // MARK: - The session, the link and the farms

    private static let session: [CodeRow] =
        link + farms + [
            one(
                319, .reject, .session, .rejected,
                "The log level does not exist: correct it."),
            one(
                327, .reject, .session, .rejected,
                "Only client 0 may take over orders made by hand."),
            one(
                2100, .warning, .account, .accountUpdatesStopped,
                "Another subscription took over the account updates: ask for them again."),
            one(
                2101, .reject, .account, .rejected,
                "Account updates were refused: another client has those of another account."),
            one(2148, .warning, .account, .none, "A note on the account or an order: read it."),
        ]

    private static let link: [CodeRow] = [
        one(
            100, .warning, .session, .slowDown,
            "Messages leave too fast: the program slows down. At the third the gateway ends the "
                + "session."),
        one(
            326, .fatal, .session, .clientIDInUse,
            "Another program uses our client id, or the gateway still holds our last session: end "
                + "the other, or wait."),
        one(
            357, .fatal, .session, .sessionEnds,
            "The gateway wants a newer client: update the program."),
        one(
            1100, .connectivity, .session, .upstreamLost,
            "The gateway lost the broker: no new orders until it is back."),
        one(
            1101, .connectivity, .session, .upstreamRestored(dataKept: false),
            "The broker is back and all subscriptions are gone: they are made anew, and orders "
                + "compared."),
        one(
            1102, .connectivity, .session, .upstreamRestored(dataKept: true),
            "The broker is back and subscriptions go on: orders are compared."),
        one(
            1300, .fatal, .session, .sessionEnds,
            "The gateway's port was changed: check that it is the right account, then set it."),
        one(
            2110, .connectivity, .session, .upstreamLost,
            "The gateway lost the broker and will try again: no new orders until it is back."),
        one(
            10197, .connectivity, .session, .dataStopped,
            "Data stop because the user is logged in elsewhere: log out there."),
    ]

    private static let farms: [CodeRow] = [
        (2103, FarmKind.marketData, FarmState.broken), (2105, .history, .broken),
        (2157, .securityDefinition, .broken), (2104, .marketData, .ok), (2106, .history, .ok),
        (2158, .securityDefinition, .ok), (2107, .history, .inactive),
        (2108, .marketData, .inactive), (2159, .securityDefinition, .inactive),
        (2119, .marketData, .connecting),
    ].map { code, farm, state in
        switch state {
        case .broken:
            one(
                code, .connectivity, .farm, .farm(farm, state),
                "A data service is disconnected: what comes from it is stale until it is back.")
        case .ok:
            one(code, .information, .farm, .farm(farm, state), "A data service works.")
        case .inactive:
            one(
                code, .information, .farm, .farm(farm, state),
                "A data service rests until it is asked: nothing to do.")
        case .connecting:
            one(
                code, .information, .farm, .farm(farm, state),
                "A data service is being connected: data may be missing for a moment.")
        }
    }

    // MARK: - What the client's own side reports

    private static let local: [CodeRow] =
        [
            one(501, .information, .call, .none, "Connected already: nothing to do."),
            one(
                502, .connectivity, .call, .notConnected,
                "The gateway does not answer: check that it runs, its port, and that API clients "
                    + "are allowed."),
            one(503, .reject, .call, .rejected, "The gateway is too old for this: update it."),
            one(504, .reject, .call, .notConnected, "There is no connection to the gateway."),
            one(505, .warning, .session, .none, "A message of an unknown kind was skipped."),
            one(
                506, .fatal, .session, .sessionEnds,
                "The gateway's version is not supported: update it or the program."),
            one(
                507, .fatal, .session, .sessionEnds,
                "A message had an impossible length or the connection broke: it is made anew."),
            CodeRow(
                508...593, .reject, .call, .rejected,
                "The message was not sent: read the text."),
        ]
}
