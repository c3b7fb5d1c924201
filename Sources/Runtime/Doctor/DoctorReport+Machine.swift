import Configuration
import Foundation
import Glibc
import Journal
import Primitives

extension DoctorReport {
    /// Checks a configuration.
    ///
    /// - Parameter isGiven: false where no file and no setting was named.
    package mutating func check(_ configuration: SettingsCheck, isGiven: Bool) {
        if let settings = configuration.settings {
            let names = settings.active.map(\.name).joined(separator: ", ")
            return pass("configuration", "it is valid: \(names)")
        }
        guard isGiven else {
            return warn(
                "configuration", "none is named: only the gateway and this machine are looked at",
                "Name the one of your sessions: martlet doctor -c FILE.")
        }
        let problems = configuration.problems
        let first = problems.first.map { "\($0.path): \($0.found)" } ?? ""
        fail(
            "configuration", "\(problems.count) problems, the first: \(first)",
            "martlet config check names all of them, with what is possible.", .configuration)
    }

    /// The least room at a session's start, as sessions watch it: entries stop below the first, it is a warning below the
    /// second.
    private static let (spaceMin, spaceUsual) = (Int64(200) << 20, Int64(1) << 30)

    /// Checks the folder of journals: it, or the nearest one above it that is there.
    package mutating func checkJournal(_ folder: String) {
        var nearest = URL(fileURLWithPath: folder).standardizedFileURL
        while !FileManager.default.fileExists(atPath: nearest.path), nearest.path != "/" {
            nearest.deleteLastPathComponent()
        }
        let path = nearest.path
        guard access(path, W_OK | X_OK) == 0 else {
            return fail(
                "journal", "\(path): \(String(cString: strerror(errno)))",
                "Let the user that runs the program (\(geteuid())) write there, or choose another folder with "
                    + "--journal.", .unexpected)
        }
        if let name = JournalFolder.networkFileSystem(of: path) {
            return fail(
                "journal", "\(path) lies on a network file system (\(name))",
                "Choose a folder on a disk of this machine: sessions refuse others.", .unexpected)
        }
        var status = statvfs()
        guard statvfs(path, &status) == 0 else {
            return warn("journal", "\(path): how much room there is, is not known", "Look at df.")
        }
        let free =
            Int64(clamping: UInt64(status.f_bavail)) * Int64(clamping: UInt64(status.f_frsize))
        let words = "\(path) can be written, with \(free >> 20) MiB of room"
        if free < Self.spaceMin {
            fail("journal", words, "Make room: below 200 MiB nothing is entered.", .unexpected)
        } else if free < Self.spaceUsual {
            warn("journal", words, "Make room: 1 GiB and more lasts for years.")
        } else {
            pass("journal", words)
        }
    }
}
