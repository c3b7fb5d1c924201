/// The reason why a state can be neither saved nor restored. Each says where, by the path from the whole value.
package enum SavedStateError: Error, Equatable, Sendable {
    /// A set, or a dictionary whose keys are neither strings nor whole numbers: its order changes from run to
    /// run.
    case unordered(type: String, at: String)
    /// More than `StateFormat.nestingMax` values within each other.
    case tooDeep(at: String)
    /// More than `StateFormat.byteCountMax` bytes.
    case tooLarge
    /// A value's own `encode(to:)` wrote to one place twice, or in two ways.
    case writtenTwice(at: String)
    /// The bytes are no state from this byte on.
    case damaged(byte: Int)
    /// The bytes are of another version of the format.
    case otherVersion(UInt8)
    /// The bytes hold something that the type does not know: they are the state of another program.
    case superfluous(at: String)
    /// Something is missing, of another type, or beyond what its type can hold.
    case mismatch(String, at: String)
    /// A value's own code refused.
    case refused(String)
}

extension SavedStateError {
    /// An error that code of the standard library or of a strategy threw.
    init(_ error: any Error) {
        switch error {
        case let error as SavedStateError: self = error
        case let error as EncodingError: self.init(error)
        case let error as DecodingError: self.init(error)
        default: self = .refused("\(error)")
        }
    }

    private init(_ error: EncodingError) {
        switch error {
        case .invalidValue(_, let context):
            self = .mismatch(context.debugDescription, at: StatePath.text(of: context.codingPath))
        @unknown default: self = .refused("\(error)")
        }
    }

    private init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            self = .mismatch(context.debugDescription, at: StatePath.text(of: context.codingPath))
        case .keyNotFound(let key, let context):
            self = .mismatch("is missing", at: StatePath.text(of: context.codingPath + [key]))
        @unknown default: self = .refused("\(error)")
        }
    }
}

extension SavedStateError: CustomStringConvertible {
    /// One phrase that names the place.
    package var description: String {
        switch self {
        case .unordered(let type, let path):
            "\(path) is a \(type): the order of sets, and of dictionaries whose keys are neither strings nor "
                + "whole numbers, changes from run to run"
        case .tooDeep(let path):
            "\(path) lies within more than \(StateFormat.nestingMax) other values"
        case .tooLarge: "the state takes more than \(StateFormat.byteCountMax) bytes"
        case .writtenTwice(let path): "\(path) is written twice"
        case .damaged(let byte): "the saved state is damaged at byte \(byte)"
        case .otherVersion(let version): "the saved state has version \(version) of its format"
        case .superfluous(let path): "\(path) is saved but not known"
        case .mismatch(let text, let path): "\(path): \(text)"
        case .refused(let text): text
        }
    }
}
