/// Begins the session. A gateway answers nothing before it.
public struct StartApi: FieldRecord {
    /// The number this program connects under.
    public var clientId: ClientID = 0
    /// Capabilities of the client as text; empty in normal use.
    public var optionalCapabilities = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("2")
        coder.id("clientId", &clientId)
        coder.text("optionalCapabilities", &optionalCapabilities)
    }
}

/// Asks for the accounts this login may use.
public struct ReqManagedAccts: FieldRecord {
    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// Asks for the gateway's clock in seconds.
public struct ReqCurrentTime: FieldRecord {
    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// Asks for the gateway's clock in milliseconds.
public struct ReqCurrentTimeInMillis: FieldRecord {
    /// Nothing set.
    public init() {}

    /// There are none.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {}
}

/// Chooses how much the gateway writes to its log about this connection.
public struct SetServerLogLevel: FieldRecord {
    /// How much.
    public var logLevel = ServerLogLevel.error

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.code("logLevel", &logLevel)
    }
}

/// How much a gateway writes to its log.
public enum ServerLogLevel: WireCode {
    /// Only what concerns the gateway itself.
    case system
    /// Errors, too.
    case error
    /// Warnings, too.
    case warning
    /// What happens, too.
    case information
    /// Everything.
    case detail
    /// A number that is not known.
    case unknown(Int32)

    /// Every known level.
    public static let known: [ServerLogLevel] = [.system, .error, .warning, .information, .detail]

    /// The level of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .system: 1
        case .error: 2
        case .warning: 3
        case .information: 4
        case .detail: 5
        case .unknown(let code): code
        }
    }
}

/// Asks for the user's white-branding id.
public struct ReqUserInfo: FieldRecord {
    /// The request, chosen by the client.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}
