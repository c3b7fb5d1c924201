import TWSProtocol

/// Numbers for contracts whose number at the broker is not known, from 1,000,000,000 to 1,999,999,999: the
/// broker's own are below that, so that the two cannot meet.
///
/// A number follows from the contract's name, not from its place in the listing, so that it stays the same
/// from day to day. Two names that would share one get neighbours, in the order of asking.
struct ContractNumbers {
    private var taken: Set<ContractID> = []

    /// The broker's number where it is known (not 0), or one made from a name.
    ///
    /// - Parameter name: symbol, kind and exchange, or what else distinguishes it.
    mutating func number(_ known: Int32, for name: String) -> ContractID {
        guard known == 0 else { return ContractID(rawValue: known) }
        var offset = Int32(truncatingIfNeeded: name.stableHash % 1_000_000_000)
        while !taken.insert(ContractID(rawValue: 1_000_000_000 + offset)).inserted {
            offset = (offset + 1) % 1_000_000_000
        }
        return ContractID(rawValue: 1_000_000_000 + offset)
    }
}

extension String {
    /// The same 64 bits for the same text in every process: FNV-1a.
    var stableHash: UInt64 {
        utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
    }
}
