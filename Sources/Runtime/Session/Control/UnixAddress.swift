import Glibc

/// The address of a Unix socket, also of one with a longer path than an address has room for.
struct UnixAddress {
    private var address = sockaddr_un()
    /// The folder of a socket with a long path, held open while the address is used; -1 for others.
    private let folder: Int32

    /// The longest path that an address has room for, in bytes.
    private static let lengthMax = 107

    /// The address of a path; `nil` where its folder cannot be opened or its name is too long.
    init?(_ path: String) {
        var bytes = Array(path.utf8)
        if bytes.count <= Self.lengthMax {
            folder = -1
        } else {
            guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            let name = bytes[(slash + 1)...]
            folder = open(
                String(decoding: bytes[..<slash], as: UTF8.self),
                O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { return nil }
            bytes = Array("/proc/self/fd/\(folder)/".utf8) + name
            guard bytes.count <= Self.lengthMax else {
                close(folder)
                return nil
            }
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls `body` with the address, and lets go of it.
    func use(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        defer { if folder >= 0 { close(folder) } }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
