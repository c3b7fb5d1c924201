extension Scenario {
    /// Every script there is.
    package static let all: [Scenario] = outages + ordering + trading + data + clientSide

    /// Faults that lie with the client.
    private static let clientSide = [
        Scenario(
            "disk-full",
            "The client's disk is full: it cannot keep what it does. No gateway can play this.",
            advice:
                "Give the client a small file system for its journal (a tmpfs of a few MB), fill it while it trades against this gateway, and look here at 'ledger': no order may have come after the disk was full."
        ),
        Scenario(
            "db-locked",
            "The client's database is locked by another program. No gateway can play this.",
            advice:
                "Open the client's journal with sqlite3, BEGIN EXCLUSIVE, and keep it open while the client trades against this gateway; look here at 'ledger': no order may have come meanwhile."
        ),
    ]
}
