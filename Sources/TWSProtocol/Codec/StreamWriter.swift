import Primitives

/// Makes frames of lines of JSON: the inverse of `StreamPrinter`.
package struct StreamWriter: Sendable {
    private let codec: TextCodec
    private let role: WireRole

    /// Writes what `role` sends at `version`.
    package init(version: ServerVersion, role: WireRole) {
        codec = TextCodec(version: version)
        self.role = role
    }

    /// Appends the frame of a line `{"message": …, "fields": {…}}`, or nothing when it throws. Without
    /// `fields` none is set.
    ///
    /// - Throws: when the line is no such object, a field is unknown or of another kind, or the version
    ///   does not carry the message or a field that a client set.
    package func write(_ line: [UInt8], into bytes: inout [UInt8]) throws(LineFailure) {
        let json = try LineFailure.wrapping { () throws(JSONError) in try JSONValue(line) }
        guard case .object(let parts) = json, case .text(let name)? = json["message"] else {
            throw LineFailure("the line is no object with the name of a message under 'message'")
        }
        for part in parts where part.name != "message" && part.name != "fields" {
            throw LineFailure("'\(part.name)' cannot be written: only 'message' and 'fields' can")
        }
        guard case .object(let fields) = json["fields"] ?? .object([]) else {
            throw LineFailure("'fields' is no object")
        }
        if name == WireStream.handshake {
            try writeHandshake(fields, into: &bytes)
        } else {
            try writeMessage(name, fields, into: &bytes)
        }
    }

    private func writeMessage(
        _ name: String, _ fields: [JSONValue.Member], into bytes: inout [UInt8]
    ) throws(LineFailure) {
        switch role {
        case .client:
            guard let kind = ClientMessageKind(named: name) else {
                throw LineFailure("clients send no message '\(name)'")
            }
            let message = try LineFailure.wrapping(name) { () throws(JSONFieldFailure) in
                try ClientMessage(kind, json: fields, at: codec.version)
            }
            try LineFailure.wrapping(name) { () throws(EncodingRefusal) in
                try codec.encode(message, into: &bytes)
            }
        case .gateway:
            guard let kind = GatewayMessageKind(named: name) else {
                throw LineFailure("gateways send no message '\(name)'")
            }
            let message = try LineFailure.wrapping(name) { () throws(JSONFieldFailure) in
                try GatewayMessage(kind, json: fields, at: codec.version)
            }
            try LineFailure.wrapping(name) { () throws(EncodingRefusal) in
                try codec.encode(message, into: &bytes)
            }
        }
    }

    private func writeHandshake(
        _ fields: [JSONValue.Member], into bytes: inout [UInt8]
    ) throws(LineFailure) {
        let name = WireStream.handshake
        switch role {
        case .client:
            let handshake = try LineFailure.wrapping(name) { () throws(JSONFieldFailure) in
                try ClientGreeting(json: fields, at: codec.version)
            }
            handshake.append(to: &bytes)
        case .gateway:
            let handshake = try LineFailure.wrapping(name) { () throws(JSONFieldFailure) in
                try GatewayGreeting(json: fields, at: codec.version)
            }
            try LineFailure.wrapping(name) { () throws(EncodingRefusal) in
                try handshake.append(to: &bytes)
            }
        }
    }
}

/// Why a line gave no frame.
package struct LineFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and where, in words.
    package let description: String

    init(_ description: String) { self.description = description }

    /// Runs `body`; what it throws becomes words, behind `subject` where there is one.
    fileprivate static func wrapping<Value, Failure: Error>(
        _ subject: String = "", _ body: () throws(Failure) -> Value
    ) throws(LineFailure) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw LineFailure(subject.isEmpty ? "\(error)" : "\(subject): \(error)")
        }
    }
}
