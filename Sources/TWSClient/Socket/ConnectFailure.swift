import Glibc

/// Why no connection came about.
enum ConnectFailure: Error {
    /// The host has no address.
    case unknownHost
    /// The machine does not answer.
    case noAnswer
    /// The system's error number.
    case system(Int32)
    /// Another reason, in words.
    case other(String)

    /// A cause that a person can act on.
    func words(at address: String) -> String {
        switch self {
        case .unknownHost: "the host of \(address) is not known: check its name"
        case .noAnswer:
            "no answer from \(address): check the host, and whether a firewall is in between"
        case .system(ECONNREFUSED):
            "connection refused at \(address): is TWS or IB Gateway running, its API enabled, and the port right?"
        case .system(EHOSTUNREACH), .system(ENETUNREACH): "no route to \(address)"
        case .system(let code): "no connection to \(address): \(String(cString: strerror(code)))"
        case .other(let words): "no connection to \(address): \(words)"
        }
    }
}
