import ArgumentParser
import Configuration
import Foundation
import Glibc
import Primitives
import Runtime

/// Which session a command is for.
struct CtlOptions: ParsableArguments {
    @Option(help: "The session's journal folder; without it, that of the only session that runs.")
    var journal: String?

    @Option(help: "The session's control socket; without it, 'ctl' in the journal's folder.")
    var socket: String?

    @OptionGroup var output: OutputOptions

    /// The journal's folder, where an option names it.
    var folder: String? {
        journal ?? socket.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    }

    /// Has a session perform a request, and shows its answer.
    func perform(_ request: JSONObject) throws {
        let connection = try connected()
        defer { connection.close() }
        let answer = try connection.execute(request.compact())
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(Array(answer.text.utf8))
        } catch {
            throw RunFailure.gateway("The session's answer is \(error).")
        }
        guard case .object(let object) = value, !answer.isRefusal else {
            if output.json { Console.print(value.text) }
            throw refusal(value)
        }
        show(object)
    }

    /// Shows an answer.
    func show(_ answer: JSONObject) {
        guard !output.quiet else { return }
        Console.print(output.json ? answer.compact() : ControlAnswer(answer).text)
    }

    private func refusal(_ value: JSONValue) -> any Error {
        guard case .text(let words)? = value["error"], case .number(let code)? = value["exit"]
        else { return RunFailure.gateway("The session's answer makes no sense.") }
        Console.complain(words)
        return ArgumentParser.ExitCode(Int32(code) ?? Runtime.ExitCode.unexpected.rawValue)
    }

    private func connected() throws -> ControlSocket {
        if let socket { return try ControlSocket(path: socket, of: .session) }
        if let journal { return try ControlSocket(path: journal + "/ctl", of: .session) }
        var found: [(folder: String, connection: ControlSocket)] = []
        for folder in SessionRegistry().journals {
            if let connection = try? ControlSocket(path: folder + "/ctl", of: .session) {
                found.append((folder, connection))
            }
        }
        guard found.count != 1 else { return found[0].connection }
        for one in found { one.connection.close() }
        guard found.isEmpty else {
            throw RunFailure.usage(
                "\(found.count) sessions run: choose one.\n"
                    + found.map { "  --journal \($0.folder)" }.joined(separator: "\n"))
        }
        throw RunFailure.gateway(
            "You have no running session on this machine. If it was started with another home or "
                + "state folder, name it with --journal FOLDER. 'kill --journal FOLDER' also works "
                + "while none runs, and holds for the next start.")
    }
}

/// Why something is done.
struct ReasonOptions: ParsableArguments {
    @Option(help: "Why, for the journal; asked for on a terminal.")
    var reason: String?

    /// The reason, asked for where it is not given.
    func text() throws -> JSONValue {
        let text = reason ?? Question.ask("Reason: ")
        guard let text, !text.allSatisfy(\.isWhitespace) else {
            throw RunFailure.usage("--reason is missing: it is kept in the journal.")
        }
        return .text(text)
    }
}

/// What the user and the machine are asked.
enum Question {
    /// An answer from the terminal; `nil` where there is none.
    static func ask(_ words: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        Console.drawLine(words)
        return readLine()
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// The user that runs this program.
    static var user: String { "\(NSUserName()) (uid \(getuid()))" }
}
