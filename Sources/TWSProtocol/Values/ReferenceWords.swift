/// The parts of an advisor's configuration.
public enum FADataType: WireCode {
    /// Groups of accounts with a method of allocation.
    case groups
    /// Profiles of allocation; gateways refuse them from server version 177 on.
    case profiles
    /// Other names of accounts.
    case aliases
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [FADataType] = [
        .groups, .profiles, .aliases,
    ]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .groups: 1
        case .profiles: 2
        case .aliases: 3
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        switch code {
        case 1: self = .groups
        case 2: self = .profiles
        case 3: self = .aliases
        default: self = .unknown(code)
        }
    }
}

/// What an announcement of the broker is about.
public enum NewsBulletinKind: WireCode {
    /// Anything.
    case regular
    /// An exchange cannot be traded.
    case exchangeClosed
    /// An exchange can be traded again.
    case exchangeOpen
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [NewsBulletinKind] = [
        .regular, .exchangeClosed, .exchangeOpen,
    ]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .regular: 1
        case .exchangeClosed: 2
        case .exchangeOpen: 3
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        switch code {
        case 1: self = .regular
        case 2: self = .exchangeClosed
        case 3: self = .exchangeOpen
        default: self = .unknown(code)
        }
    }
}

/// The form of a news article's text.
public enum NewsArticleForm: WireCode {
    /// Plain text or HTML.
    case text
    /// A PDF file in base64.
    case pdf
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [NewsArticleForm] = [
        .text, .pdf,
    ]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .text: 0
        case .pdf: 1
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        switch code {
        case 0: self = .text
        case 1: self = .pdf
        default: self = .unknown(code)
        }
    }
}
