import Foundation
import Glibc

/// A process at the other end of a control socket.
struct ControlPeer {
    /// The user that it runs as.
    let user: uid_t

    /// The peer of a connected socket, by the system's word; `nil` where the system does not have it.
    init?(of file: Int32) {
        // Process, user and group, as unix(7) has them.
        var credentials = [UInt32](repeating: 0, count: 3)
        var length = socklen_t(credentials.count * MemoryLayout<UInt32>.stride)
        guard getsockopt(file, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0,
            length == 3 * UInt32(MemoryLayout<UInt32>.stride)
        else { return nil }
        user = credentials[1]
    }

    /// A user.
    init(user: uid_t) { self.user = user }

    /// True if it may operate a session: the session's own user, or the machine's administrator.
    var isAllowed: Bool { user == geteuid() || user == 0 }

    /// The name and number of the user: `ana (uid 1000)`.
    var name: String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 4_096)
        let result = getpwuid_r(user, &entry, &buffer, buffer.count, &found)
        guard result == 0, found != nil, let name = entry.pw_name else { return "uid \(user)" }
        return "\(String(cString: name)) (uid \(user))"
    }
}
