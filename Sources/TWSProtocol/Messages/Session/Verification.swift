/// Begins a program's authentication, for programs that IBKR has registered.
public struct VerifyRequest: FieldRecord {
    /// What the program calls itself.
    public var apiName = ""
    /// The program's version.
    public var apiVersion = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.text("apiName", &apiName)
        coder.text("apiVersion", &apiVersion)
    }
}

/// Answers the challenge to a program.
public struct VerifyMessage: FieldRecord {
    /// The program's answer to the gateway's challenge.
    public var apiData = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.text("apiData", &apiData)
    }
}

/// Begins the authentication of a program and its user.
public struct VerifyAndAuthRequest: FieldRecord {
    /// What the program calls itself.
    public var apiName = ""
    /// The program's version.
    public var apiVersion = ""
    /// The vendor's key.
    public var opaqueIsvKey = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.text("apiName", &apiName)
        coder.text("apiVersion", &apiVersion)
        coder.text("opaqueIsvKey", &opaqueIsvKey)
    }
}

/// Answers the challenges to a program and its user.
public struct VerifyAndAuthMessage: FieldRecord {
    /// The program's answer to the gateway's challenge.
    public var apiData = ""
    /// The user's answer.
    public var xyzResponse = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.text("apiData", &apiData)
        coder.text("xyzResponse", &xyzResponse)
    }
}

/// A step of a program's authentication.
public struct VerifyMessageApi: FieldRecord {
    /// The gateway's challenge to the program.
    public var apiData = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.escapedText("apiData", &apiData)
    }
}

/// The end of a program's authentication.
public struct VerifyCompleted: FieldRecord {
    /// How it ended.
    public var isSuccessful = VerificationOutcome.failed
    /// Why it failed; empty otherwise.
    public var errorText = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.word("isSuccessful", &isSuccessful)
        coder.escapedText("errorText", &errorText)
    }
}

/// A step of a program's and user's authentication.
public struct VerifyAndAuthMessageApi: FieldRecord {
    /// The gateway's challenge to the program.
    public var apiData = ""
    /// The challenge to the user.
    public var xyzChallenge = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.escapedText("apiData", &apiData)
        coder.escapedText("xyzChallenge", &xyzChallenge)
    }
}

/// The end of a program's and user's authentication.
public struct VerifyAndAuthCompleted: FieldRecord {
    /// How it ended.
    public var isSuccessful = VerificationOutcome.failed
    /// Why it failed; empty otherwise.
    public var errorText = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.word("isSuccessful", &isSuccessful)
        coder.escapedText("errorText", &errorText)
    }
}

/// How an authentication ended. A word on the wire where other messages have 0 or 1.
public enum VerificationOutcome: WireWord {
    /// Refused.
    case failed
    /// Accepted.
    case succeeded
    /// A word that is not known.
    case unknown(String)

    /// Every known outcome.
    public static let known: [VerificationOutcome] = [.failed, .succeeded]
    /// Their words.
    public static let words = WordTable<VerificationOutcome>(known)

    /// The word as it travels.
    public var word: String {
        switch self {
        case .failed: "false"
        case .succeeded: "true"
        case .unknown(let word): word
        }
    }

    /// Capitals make no difference.
    public init(word: String) {
        switch word.lowercased() {
        case "false": self = .failed
        case "true": self = .succeeded
        default: self = .unknown(word)
        }
    }
}
