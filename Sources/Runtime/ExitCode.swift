/// How the process ends, for scripts and supervisors.
package enum ExitCode: Int32, Sendable {
    /// It did what was asked.
    case success = 0
    /// Something failed that nobody expected.
    case unexpected = 1
    /// The command line does not make sense.
    case usage = 2
    /// The configuration is invalid.
    case configuration = 3
    /// The gateway cannot be reached, refused, or did not answer.
    case gateway = 4
    /// The account, the mode or the gateway's settings do not permit it.
    case notPermitted = 5
    /// Data is missing or failed its check.
    case data = 6
    /// A risk limit had halted entries for good when the run ended.
    case riskHalt = 7
    /// Two runs of the same were not the same.
    case verification = 8
    /// A session has ended before its exit policy was carried out: orders or positions are left.
    case exitPolicy = 9
    /// A supervised session has died too often: it is not started again before a person has looked.
    case crashLoop = 10
}
