/// Asks for a part of an advisor's configuration.
public struct RequestFA: FieldRecord {
    /// Which part.
    public var faDataType = FADataType.groups

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.code("faDataType", &faDataType)
    }
}

/// Replaces a part of an advisor's configuration.
public struct ReplaceFA: FieldRecord {
    /// Which part.
    public var faDataType = FADataType.groups
    /// The new configuration.
    public var xml = ""
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.code("faDataType", &faDataType)
        coder.text("xml", &xml)
        coder.id("reqId", &reqId)
    }
}

/// A part of an advisor's configuration.
public struct ReceiveFA: FieldRecord {
    /// Which part.
    public var faDataType = FADataType.groups
    /// The configuration.
    public var xml = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.code("faDataType", &faDataType)
        coder.escapedText("xml", &xml)
    }
}

/// An advisor's configuration was taken.
public struct ReplaceFaEnd: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// What the gateway reports about it.
    public var text = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.text("text", &text)
    }
}

/// Asks for the accounts of a family.
public struct ReqFamilyCodes: FieldRecord {
    /// Nothing set.
    public init() {}

    /// None.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {}
}

/// An account of a family.
public struct FamilyCode: FieldRecord {
    /// The account.
    public var accountID = AccountID.none
    /// The family's code.
    public var familyCodeStr = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.account("accountID", &accountID)
        coder.text("familyCodeStr", &familyCodeStr)
    }
}

/// The accounts of a family.
public struct FamilyCodes: FieldRecord {
    /// The accounts.
    public var familyCodes: [FamilyCode] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.list("familyCodes", &familyCodes)
    }
}

/// Asks for the tiers of soft dollars.
public struct ReqSoftDollarTiers: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}

/// The tiers of soft dollars.
public struct SoftDollarTiers: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The tiers.
    public var tiers: [SoftDollarTier] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.list("tiers", &tiers)
    }
}
