import Primitives
import TWSProtocol

/// Publishes one subscription's ticks: each value when it is new or has changed, and no other.
struct TickWriter: Sendable {
    /// The subscription's number.
    private let request: RequestID
    /// What the client saw last of each kind.
    private var values: [TickType: DecimalValue] = [:]
    private var texts: [TickType: String] = [:]
    private var computations: [TickType: TickOptionComputation] = [:]
    /// Whether kinds of delayed data take the place of live ones.
    var isDelayed = false
    /// What is to be published, in order.
    private var messages: [GatewayMessage] = []

    /// A subscription that has received nothing.
    init(request: RequestID) { self.request = request }

    /// Forgets what the client saw: all is published again.
    mutating func forget() {
        values = [:]
        texts = [:]
        computations = [:]
    }

    /// Whether a number of a kind was published, other than the -1 that stands for none.
    func wasPublished(_ type: TickType) -> Bool {
        guard let value = values[kind(type)] else { return false }
        return value != -1
    }

    /// Takes what is to be published.
    mutating func take() -> [GatewayMessage] {
        defer { messages.removeAll(keepingCapacity: true) }
        return messages
    }

    /// Publishes a price and the size that belongs to it. A gateway sends the size once with the price and
    /// once alone, or alone when only the size changed.
    ///
    /// - Parameter attributes: bits of the price message.
    mutating func pair(
        _ type: TickType, _ price: DecimalValue, _ size: DecimalValue, attributes: Int32 = 0
    ) {
        let isNewPrice = isNews(type, price)
        if isNewPrice { send(type, price, size: size, attributes: attributes) }
        guard let sizeType = type.size else { return }
        if isNews(sizeType, size) || isNewPrice { send(sizeType, size) }
    }

    /// Publishes a price without a size.
    mutating func price(_ type: TickType, _ price: DecimalValue?) {
        guard let price, isNews(type, price) else { return }
        send(type, price, size: .zero, attributes: 0)
    }

    /// Publishes a size.
    mutating func size(_ type: TickType, _ size: DecimalValue?) {
        guard let size, isNews(type, size) else { return }
        send(type, size)
    }

    /// Publishes a number.
    mutating func number(_ type: TickType, _ value: DecimalValue?) {
        guard let value, isNews(type, value) else { return }
        var message = TickGeneric()
        message.reqId = request
        message.tickType = kind(type)
        message.value = value
        messages.append(.tickGeneric(message))
    }

    /// Publishes a text.
    mutating func text(_ type: TickType, _ text: String?) {
        guard let text, texts[kind(type)] != text else { return }
        texts[kind(type)] = text
        var message = TickString()
        message.reqId = request
        message.tickType = kind(type)
        message.value = text
        messages.append(.tickString(message))
    }

    /// Publishes an option's numbers.
    mutating func computation(_ computation: TickOptionComputation) {
        var message = computation
        message.reqId = request
        message.tickType = kind(computation.tickType)
        guard computations[message.tickType] != message else { return }
        computations[message.tickType] = message
        messages.append(.tickOptionComputation(message))
    }

    private mutating func isNews(_ type: TickType, _ value: DecimalValue) -> Bool {
        guard values[kind(type)] != value else { return false }
        values[kind(type)] = value
        return true
    }

    private mutating func send(
        _ type: TickType, _ price: DecimalValue, size: DecimalValue, attributes: Int32
    ) {
        var message = TickPrice()
        message.reqId = request
        message.tickType = kind(type)
        message.price = price
        message.size = size
        message.attrMask = attributes
        messages.append(.tickPrice(message))
    }

    private mutating func send(_ type: TickType, _ size: DecimalValue) {
        var message = WireTickSize()
        message.reqId = request
        message.tickType = kind(type)
        message.size = size
        messages.append(.tickSize(message))
    }

    private func kind(_ type: TickType) -> TickType { isDelayed ? type.delayed : type }
}

extension TickType {
    /// The kind that stands for this one where data are delayed; itself where there is none.
    var delayed: TickType {
        switch self {
        case .bid: .delayedBid
        case .ask: .delayedAsk
        case .last: .delayedLast
        case .bidSize: .delayedBidSize
        case .askSize: .delayedAskSize
        case .lastSize: .delayedLastSize
        case .high: .delayedHigh
        case .low: .delayedLow
        case .volume: .delayedVolume
        case .close: .delayedClose
        case .open: .delayedOpen
        case .bidOptionComputation: .delayedBidOption
        case .askOptionComputation: .delayedAskOption
        case .lastOptionComputation: .delayedLastOption
        case .modelOption: .delayedModelOption
        case .lastTimestamp: .delayedLastTimestamp
        case .halted: .delayedHalted
        default: self
        }
    }
}
