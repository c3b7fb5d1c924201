import Glibc
import Runtime
public import Signals

/// The whole program, for packages that bring strategies of their own.
public enum MartletMain {
    /// Reads the command line, does what it says, and ends the process when that fails.
    ///
    /// To be called once, before anything else.
    ///
    /// - Parameter strategies: what configurations may use beside the bundled ones; one with the name of
    ///   another ends the process.
    public static func run(strategies: [any Strategy.Type] = []) {
        do throws(RunFailure) {
            try StrategyCatalog.add(strategies)
        } catch {
            Console.complain("\(error)")
            Glibc.exit(error.exitCode.rawValue)
        }
        Martlet.main()
    }
}
