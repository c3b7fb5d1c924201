import Foundation
import Glibc

/// Where a journal can lie.
extension JournalFolder {
    /// Why a folder cannot be used, by the system's number of the error.
    static func refusal(_ path: String, _ number: Int32 = errno) -> JournalError {
        switch number {
        case EROFS: .folder(path, "it lies on a file system that can only be read")
        case EACCES, EPERM:
            .folder(path, "the user that runs the program (\(geteuid())) may not write there")
        default: .folder(path, String(cString: strerror(number)))
        }
    }

    /// Why a folder cannot be made.
    static func refusal(_ path: String, making error: any Error) -> JournalError {
        switch (error as? CocoaError)?.code {
        case .fileWriteVolumeReadOnly: refusal(path, EROFS)
        case .fileWriteNoPermission: refusal(path, EACCES)
        default: .folder(path, error.localizedDescription)
        }
    }

    /// Throws unless a folder belongs to this user and lies on a disk of this machine.
    static func checkPlace(_ path: String) throws(JournalError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw refusal(path)
        }
        guard status.st_uid == geteuid() else {
            throw .folder(
                path, "it belongs to user \(status.st_uid), and this program runs as \(geteuid())")
        }
        if let name = networkFileSystem(of: path) {
            throw .folder(
                path,
                "it lies on a network file system (\(name)), whose locks and logs cannot be relied on"
            )
        }
    }

    /// The name of the file system that a path lies on, if another machine keeps it; `nil` for others.
    package static func networkFileSystem(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        return networkFileSystem(ofDevice: UInt64(status.st_dev), among: mounts)
    }

    /// The name of the file system of a device, if another machine keeps it; `nil` for others.
    ///
    /// - Parameters:
    ///   - device: as stat(2) has it.
    ///   - mounts: the lines of `/proc/self/mountinfo`, as proc(5) describes them.
    static func networkFileSystem(ofDevice device: UInt64, among mounts: String) -> String? {
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 4, fields[2] == "\(major):\(minor)",
                let end = fields.firstIndex(of: "-"), end + 1 < fields.count
            else { continue }
            let name = String(fields[end + 1])
            return networkNames.contains(name) ? name : nil
        }
        return nil
    }

    private static let networkNames: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.ceph", "lustre", "coda",
        "gfs2", "ocfs2", "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.rclone", "davfs",
        "fuse.davfs",
    ]
}
