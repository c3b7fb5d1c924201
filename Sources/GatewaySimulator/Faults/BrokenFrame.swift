import TWSProtocol

/// Bytes that are no message.
package enum BrokenFrame: String, CaseIterable, Sendable {
    /// A message number nobody knows.
    case unknown
    /// A message whose fields are missing.
    case short
    /// A message with words where numbers belong.
    case words
    /// A message with more fields than its version has.
    case long
    /// A text that is not UTF-8.
    case garbled
    /// A frame that breaks off, and the connection with it.
    case truncated
    /// The largest frame there may be: 16 MB.
    case huge
    /// A length beyond that.
    case endless
    /// A length of nothing.
    case empty

    /// The bytes.
    var bytes: [UInt8] {
        switch self {
        case .unknown: Self.frame("9999\u{0}1\u{0}nobody knows\u{0}")
        case .short: Self.frame("1\u{0}6\u{0}1\u{0}")
        case .words: Self.frame("1\u{0}6\u{0}1\u{0}bid\u{0}much\u{0}more\u{0}few\u{0}")
        case .long: Self.frame("49\u{0}1\u{0}1700000000\u{0}7\u{0}8\u{0}9\u{0}")
        case .garbled:
            Self.framed(Array("14\u{0}1\u{0}1\u{0}1\u{0}".utf8) + [0xFF, 0xFE, 0, 0x58, 0])
        case .truncated:
            Array(Self.frame("4\u{0}2\u{0}-1\u{0}2104\u{0}the rest is missing").dropLast(12))
        case .huge:
            Self.framed(
                Array("9998\u{0}".utf8)
                    + [UInt8](repeating: UInt8(ascii: "x"), count: FrameReader.payloadMax - 5))
        case .endless: [0x7F, 0xFF, 0xFF, 0xFF, 0x31, 0]
        case .empty: [0, 0, 0, 0]
        }
    }

    /// Whether the connection ends with it.
    var endsConnection: Bool { self == .truncated }

    private static func frame(_ text: String) -> [UInt8] { framed(Array(text.utf8)) }

    private static func framed(_ payload: [UInt8]) -> [UInt8] {
        let length = payload.count
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + payload
    }
}
