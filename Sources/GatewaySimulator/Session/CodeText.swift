/// The texts that gateways send with a code.
enum CodeText {
    /// The words, where they are known; otherwise some that name the code.
    static func words(of code: Int) -> String {
        texts[code] ?? "Message \(code) of the gateway"
    }

    private static let texts: [Int: String] = [
        100: "Max rate of messages per second has been exceeded:max=50 rec=51 (1)",
        103: "Duplicate order id",
        110: "The price does not conform to the minimum price variation for this contract.",
        154: "Order messages are not accepted for a halted security",
        161: "Cancel attempted when order is not in a cancellable state.",
        162:
            "Historical Market Data Service error message:Historical data request pacing violation",
        200: "No security definition has been found for the request",
        201: "Order rejected - reason:The exchange is closed.",
        202: "Order Canceled - reason:",
        321:
            "Error validating request.-'bW' : cause - The API interface is currently in Read-Only mode.",
        322: "Error processing request.-'bW' : cause - Duplicate ticker id",
        326: "Unable to connect as the client id is already in use. Retry with a unique client id.",
        354: "Requested market data is not subscribed.Delayed market data is available.",
        399:
            "Order Message:\nWarning: your order will not be placed at the exchange until the next open",
        404:
            "Shares for this order are not immediately available for short sale. The order will be held while we attempt to locate the shares.",
        420: "Invalid Real-time Query:No market data permissions for NYSE STK",
        1100: "Connectivity between IB and Trader Workstation has been lost.",
        1101: "Connectivity between IB and Trader Workstation has been restored- data lost.",
        1102: "Connectivity between IB and Trader Workstation has been restored - data maintained.",
        1300:
            "TWS socket port has been reset and this connection is being dropped. Please reconnect on the new port -4003",
        2103: "Market data farm connection is broken:usfarm",
        2104: "Market data farm connection is OK:usfarm",
        2105: "HMDS data farm connection is broken:ushmds",
        2106: "HMDS data farm connection is OK:ushmds",
        2109:
            "Order Event Warning: Attribute 'Outside Regular Trading Hours' is ignored based on the order type and destination. PlaceOrder is now being processed.",
        2110:
            "Connectivity between Trader Workstation and server is broken. It will be restored automatically.",
        2119: "Market data farm is connecting:usfarm",
        2137: "The closing order quantity is greater than your current position.",
        2157: "Sec-def data farm connection is broken:secdefil",
        2158: "Sec-def data farm connection is OK:secdefil",
        10089:
            "Requested market data requires additional subscription for API. See link in 'Market Data Connections' dialog for more details.Delayed market data is available.",
        10090:
            "Part of requested market data is not subscribed. Subscription-independent ticks are still active.Delayed market data is available.",
        10147: "OrderId that needs to be cancelled is not found.",
        10148: "OrderId that needs to be cancelled cannot be cancelled, state: Filled.",
        10168: "Requested market data is not subscribed. Delayed market data is not enabled.",
        10182: "Failed to request live updates (disconnected).",
        10197: "No market data during competing live session",
        10225:
            "Bust event occurred, current subscription is deactivated. Please resubscribe real-time bars immediately.",
        10311:
            "This order will be directly routed to NASDAQ. Direct routed orders may result in higher trade fees.",
        10349: "Order TIF was set to DAY based on order preset.",
    ]
}
