import ClientTestSupport
import Foundation
import Primitives
import Synchronization
import TWSProtocol
import Testing

@testable import TWSClient

/// Connections written down as they travel, and played again.
@Suite struct RecordingTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var prefix: String { folder.appending(path: "wire").path }

    /// What a session told of a connection, its end apart.
    private func published(_ events: [SessionEvent]) -> [SessionEvent] {
        events.filter {
            switch $0 {
            case .agreed, .message, .rejected: true
            default: false
            }
        }
    }

    @Test(arguments: [1, 7, 16_384])
    func aRecordingReportsASessionTheSameAgain(pieceBytes: Int) throws {
        let gateway = ScriptedGateway()
        let recorder = try FrameRecorder(prefix: prefix)
        let received = Mutex<[SessionEvent]>([])
        var settings = SessionSettings(clientID: 7)
        settings.placesOrders = true
        settings.reconnects = false
        let session = Session(settings: settings, connector: gateway, recorder: recorder) {
            events in
            received.withLock { $0 += events }
        }
        session.start()
        gateway.clock.run()
        gateway.send(code: 2104, "Market data farm connection is OK:usfarm")
        gateway.drop("reset")
        gateway.clock.run()
        let first = published(received.withLock { $0 })
        #expect(first.count > 5)

        let loop = ManualLoop()
        let repeated = Mutex<[SessionEvent]>([])
        let replay = Session(
            settings: settings,
            connector: try RecordedConnector(
                path: prefix + "-1.server", loop: loop, pieceBytes: pieceBytes)
        ) { events in repeated.withLock { $0 += events } }
        replay.start()
        loop.run()
        #expect(published(repeated.withLock { $0 }) == first)
        #expect(replay.state == .down)
    }

    /// Each connection has its own files: one that broke inside a frame spoils no other.
    @Test func everyConnectionHasFilesOfItsOwn() throws {
        let recorder = try FrameRecorder(prefix: prefix)
        recorder.opened()
        recorder.sent([1, 2])
        [UInt8](arrayLiteral: 3).withUnsafeBytes { recorder.received($0) }
        recorder.opened()
        recorder.sent([4])
        let files = ["-1.client", "-1.server", "-2.client", "-2.server"].map { name in
            FileManager.default.contents(atPath: prefix + name).map { [UInt8]($0) }
        }
        #expect(files == [[1, 2], [3], [4], []])
        let attributes = try FileManager.default.attributesOfItem(atPath: prefix + "-1.server")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func nothingIsWrittenOverARecording() throws {
        _ = try FrameRecorder(prefix: prefix)
        #expect(throws: FrameRecorder.Problem.self) { try FrameRecorder(prefix: prefix) }
        #expect(throws: FrameRecorder.Problem.self) {
            try FrameRecorder(prefix: folder.appending(path: "none/wire").path)
        }
        #expect(throws: RecordedConnector.Problem.self) {
            try RecordedConnector(path: prefix + "-9.server", loop: ManualLoop())
        }
    }
}
