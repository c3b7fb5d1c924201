import Foundation
import Glibc

/// The sessions of this user on this machine: a file for each in the user's state folder
/// (`$XDG_STATE_HOME/martlet/sessions`, or `~/.local/state/martlet/sessions`), named by the process, with the journal's
/// folder in it. It is for finding a session without its folder; nothing depends on it.
package struct SessionRegistry: Sendable {
    private let folder: String?

    /// The registry of this process's environment.
    package init() { self.init(environment: ProcessInfo.processInfo.environment) }

    /// The registry of an environment; without a home there is none.
    init(environment: [String: String]) {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            folder = state + "/martlet/sessions"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            folder = home + "/.local/state/martlet/sessions"
        } else {
            folder = nil
        }
    }

    /// Notes this process's session. What cannot be written is left out.
    func add(journal: String) {
        guard let folder else { return }
        let files = FileManager.default
        guard
            (try? files.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])) != nil
        else { return }
        for process in processes where kill(process, 0) != 0 && errno == ESRCH {
            unlink("\(folder)/\(process)")
        }
        let path = URL(fileURLWithPath: journal).standardizedFileURL.path
        try? Data(path.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(getpid())"))
    }

    /// Forgets this process's session.
    func remove() {
        if let folder { unlink("\(folder)/\(getpid())") }
    }

    private var processes: [pid_t] {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { pid_t($0) }.sorted()
    }

    /// The journals' folders of sessions that were noted, whether or not they run still.
    package var journals: [String] {
        guard let folder else { return [] }
        var journals: [String] = []
        for process in processes {
            guard
                let path = try? String(contentsOfFile: "\(folder)/\(process)", encoding: .utf8),
                path.hasPrefix("/"), !journals.contains(path)
            else { continue }
            journals.append(path)
        }
        return journals
    }
}
