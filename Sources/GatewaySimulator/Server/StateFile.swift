import Foundation

/// The file that keeps a gateway's orders, account and numbers between runs, as JSON.
struct StateFile {
    /// Where it is.
    let path: String

    /// What it holds; `nil` when there is none.
    ///
    /// - Throws: when it cannot be read.
    func read() throws(ServerFailure) -> GatewayState? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return try JSONDecoder().decode(GatewayState.self, from: data)
        } catch {
            throw ServerFailure(
                "The state in \(path) cannot be read: \(error). Remove the file to begin anew.")
        }
    }

    /// Replaces what it holds, as a whole: a crash leaves the old state or the new one.
    ///
    /// - Throws: when it cannot be written.
    func write(_ state: GatewayState) throws(ServerFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            let data = try encoder.encode(state)
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw ServerFailure("The state cannot be kept in \(path): \(error).")
        }
    }
}
