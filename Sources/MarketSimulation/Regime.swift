/// Calm and turbulent times: a session's variance, and how long it stays so.
///
/// Turbulent sessions have four times the variance of calm ones. A fifth of all sessions are turbulent, and
/// a turbulent time lasts 20 sessions on average.
struct Regime: Sendable {
    /// Whether times are turbulent.
    private(set) var isTurbulent = false

    /// Calm sessions' share of the mean variance: 1 / (0.8 + 0.2 * 4).
    private static let calm = 0.625
    private static let turbulent = 4 * calm
    private static let leavesTurbulence = 1.0 / 20
    private static let leavesCalm = leavesTurbulence / 4

    /// A calm time.
    init() {}

    /// What the session's variance is multiplied by.
    var factor: Double { isTurbulent ? Self.turbulent : Self.calm }

    /// Goes to the next session.
    ///
    /// - Parameter draw: equally likely anywhere in [0, 1).
    mutating func advance(_ draw: Double) {
        if draw < (isTurbulent ? Self.leavesTurbulence : Self.leavesCalm) { isTurbulent.toggle() }
    }
}
