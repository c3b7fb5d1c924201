import Model
import Primitives
package import Signals

/// A strategy's own value between two sessions.
///
/// A strategy is saved when its type is `Codable`; all others warm up again. What was saved is for the
/// program, the parameters and the list of instruments it was saved under: whoever restores it compares
/// those first, since a strategy finds its figures by an instrument's place in the list.
package enum StrategyState {
    /// A strategy's state as bytes; `nil` when its type is not `Codable`.
    package static func encode(_ strategy: any Strategy) throws(SavedStateError) -> [UInt8]? {
        guard let strategy = TimedStrategy.base(of: strategy) as? any (Strategy & Codable) else {
            return nil
        }
        return try StateEncoder.encode(strategy)
    }

    /// The strategy whose state was saved. Throws when the bytes are of another type, or damaged.
    package static func decode(
        _ bytes: [UInt8], as type: any Strategy.Type
    ) throws(SavedStateError) -> any Strategy {
        guard let type = type as? any (Strategy & Codable).Type else {
            throw .refused("\(type.declaration.name) is not Codable: no state of it was saved")
        }
        return try StateDecoder.decode(type, from: bytes)
    }

    /// What can be said of a type's state without running it.
    package enum Saving: Equatable, Sendable {
        /// It is saved.
        case saved
        /// It is not: the type is not `Codable`.
        case notCodable
        /// It is not: its state before the first bar is refused.
        case refused(SavedStateError)
    }

    /// Whether a strategy's state is saved. The state before the first bar, with two instruments and the
    /// declared defaults, stands for all others.
    package static func saving(of type: any Strategy.Type) -> Saving {
        guard type is any (Strategy & Codable).Type else { return .notCodable }
        let setup = StrategySetup(
            instruments: ["TEST1", "TEST2"].enumerated().map {
                Instrument(id: InstrumentID(index: $0), symbol: $1)
            },
            parameters: Parameters(defaultsOf: type.declaration.parameters))
        let strategy: any Strategy
        do throws(ParameterError) {
            strategy = try type.init(setup)
        } catch {
            // Defaults that contradict each other say nothing about the state.
            return .saved
        }
        do throws(SavedStateError) {
            guard let bytes = try encode(strategy) else { return .notCodable }
            _ = try decode(bytes, as: type)
            return .saved
        } catch {
            return .refused(error)
        }
    }
}
