public import Primitives
public import TWSProtocol

/// One tick of a market data request, as the gateway sent it.
public struct MarketTick: Hashable, Sendable {
    /// When it came, by this machine's time of day.
    public let receivedAt: Timestamp
    /// How fresh the data of its request are.
    public let mode: MarketDataMode
    /// What it holds.
    public let kind: Kind

    /// What a tick holds.
    public enum Kind: Hashable, Sendable {
        /// A price, with its size where one belongs to it. Price -1 with size 0 says that there is none.
        case price(TickPrice)
        /// A size or a volume.
        case size(WireTickSize)
        /// Another number.
        case number(TickGeneric)
        /// A text.
        case text(TickString)
        /// An option's volatility and sensitivities.
        case option(TickOptionComputation)
        /// What financing by a future costs.
        case exchangeForPhysical(TickEFP)
        /// How fresh the data are from now on.
        case mode(MarketDataMode)
        /// What belongs to the request: tick size, code for `smartComponents`.
        case parameters(TickReqParams)
    }
}

extension MarketTick.Kind {
    /// The tick in a message, if it is one.
    init?(_ message: GatewayMessage) {
        switch message {
        case .tickPrice(let message): self = .price(message)
        case .tickSize(let message): self = .size(message)
        case .tickGeneric(let message): self = .number(message)
        case .tickString(let message): self = .text(message)
        case .tickOptionComputation(let message): self = .option(message)
        case .tickEFP(let message): self = .exchangeForPhysical(message)
        case .marketDataType(let message): self = .mode(message.marketDataType)
        case .tickReqParams(let message): self = .parameters(message)
        default: return nil
        }
    }
}

extension MarketTick {
    /// Whether its number says that it is late: delayed data have numbers of their own.
    var isDelayedType: Bool {
        let type: TickType
        switch kind {
        case .price(let message): type = message.tickType
        case .size(let message): type = message.tickType
        case .number(let message): type = message.tickType
        case .text(let message): type = message.tickType
        case .option(let message): type = message.tickType
        case .exchangeForPhysical, .mode, .parameters: return false
        }
        return Self.delayedTypes.contains(type.code)
    }

    private static let delayedTypes: Set<Int32> = Set(
        [
            TickType.delayedBid, .delayedAsk, .delayedLast, .delayedBidSize, .delayedAskSize,
            .delayedLastSize, .delayedHigh, .delayedLow, .delayedVolume, .delayedClose,
            .delayedOpen, .delayedBidOption, .delayedAskOption, .delayedLastOption,
            .delayedModelOption, .delayedLastTimestamp, .delayedHalted, .delayedYieldBid,
            .delayedYieldAsk,
        ].map(\.code))
}

/// The newest elements, up to a bound: a ring that never grows.
public struct TickBuffer<Element: Sendable>: Sendable {
    /// Elements kept at most; 0 keeps none.
    public let capacity: Int
    /// How many were ever added.
    public private(set) var added = 0
    private var ring: [Element] = []

    /// An empty buffer.
    public init(capacity: Int) { self.capacity = max(0, capacity) }

    /// Adds an element; the oldest makes room.
    public mutating func add(_ element: Element) {
        guard capacity > 0 else { return }
        if ring.count < capacity {
            ring.append(element)
        } else {
            ring[added % capacity] = element
        }
        added += 1
    }

    /// What is kept, oldest first.
    public var elements: [Element] {
        guard ring.count == capacity, capacity > 0 else { return ring }
        let first = added % capacity
        return Array(ring[first...] + ring[..<first])
    }
}
