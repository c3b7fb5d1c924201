import ClientTestSupport
import Configuration
import Foundation
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// I-21, I-22, L13, TH21: the kill is durable and beats every other command.
@Suite struct KillTests {
    /// By which a session is killed.
    private static let ways = ["command", "file", "command without a link"]

    /// Nothing is opened any more, entries that work are cancelled, protection stays; a crash and 'resume all' change
    /// nothing of it.
    @Test(arguments: ways)
    func aKillHolds(way: String) throws {
        let rig = try SessionRig.withProtection()
        let symbol = try rig.heldName()
        if way == "command without a link" {
            try rig.gateway.fault(#"{"do":"restart","seconds":30}"#)
            try rig.pass(.seconds(2))
        }
        if way == "file" {
            try Data().write(to: URL(fileURLWithPath: rig.folder + "/kill"))
            try rig.pass(.milliseconds(250))
        } else {
            #expect(try rig.ask(#"{"do":"kill"}"#)["done"] == .text("kill"))
        }
        #expect(rig.haltCauses == [.killed])
        #expect(rig.killFile.isPresent)
        let batch = rig.history.batches.count
        try rig.pass(.minutes(1))
        try rig.crash()
        try rig.pass(.minutes(1))
        try rig.order("resume", #""cause":"all""#)
        #expect(rig.haltCauses == [.killed])
        try rig.pass(.minutes(20))
        #expect(rig.entries(since: batch).isEmpty)
        #expect(try rig.workingAtGateway().filter { $0.isBuy }.isEmpty)
        // What is held still has its stop.
        if try rig.held(symbol) > .zero {
            let stops = try rig.workingAtGateway().filter {
                $0.symbol == symbol && $0.type == "STP"
            }
            #expect(stops.map(\.remaining) == [try rig.held(symbol)])
        }
        try rig.expectAllIsKnown()
    }

    /// Without a link, whatever kills: the entry's cancel leaves when the link is back, the stop stays, and what lifts it
    /// asks for it by name, with the account's number.
    @Test(arguments: ["command", "file", "signal"])
    func withoutALinkItsCancelsLeaveLater(way: String) throws {
        let scene = try EntryBesideStop()
        let rig = scene.rig
        let stop = try scene.stop()
        try rig.gateway.fault(#"{"do":"restart","seconds":20}"#)
        try rig.pass(.seconds(2))
        switch way {
        case "command": try rig.ask(#"{"do":"kill"}"#)
        case "file": try Data().write(to: URL(fileURLWithPath: rig.killFile.path))
        // What the signal's handler does.
        case _: try rig.killFile.set("signal SIGUSR1 to process 1")
        }
        try rig.pass(until: "a link", limit: .minutes(5)) {
            rig.driver.status(at: rig.now).link == .ready
        }
        try rig.pass(.seconds(3))
        #expect(rig.haltCauses == [.killed])
        let entry = try #require(try scene.orders(scene.entered).first { $0.isBuy })
        #expect(entry.status == "Cancelled" && entry.cancels == "1")
        #expect(rig.state(of: stop) == .working)
        try scene.expectStop()
        try rig.order("resume", #""cause":"all""#)
        #expect(try rig.order("resume", #""cause":"killed""#)["exit"] == .integer(5))
        #expect(rig.haltCauses == [.killed])
        try rig.order("resume", #""cause":"killed","account":"DU1234567""#)
        #expect(rig.haltCauses.isEmpty)
        try rig.setTrading(isHalted: false)
        try rig.expectAllIsKnown()
    }

    /// It is lifted by its name with the account's number alone; then the file is gone, too.
    @Test func aKillIsLiftedWithTheAccount() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.seconds(30))
        try rig.ask(#"{"do":"kill","reason":"drill"}"#)
        let batch = rig.history.batches.count
        try rig.pass(.minutes(7))
        for account in [#""cause":"killed""#, #""cause":"kill","account":"DU7654321""#] {
            let refused = try rig.order("resume", account)
            #expect(refused["exit"] == .integer(5), "\(refused.text)")
            #expect(!refused.text.contains("DU1234567"))
            #expect(rig.haltCauses == [.killed])
            #expect(rig.killFile.isPresent)
        }
        #expect(rig.entries(since: batch).isEmpty)
        let lifted = try rig.order("resume", #""cause":"killed","account":"DU1234567""#)
        #expect(lifted["done"] == .text("resume"))
        #expect(rig.haltCauses.isEmpty)
        #expect(!rig.killFile.isPresent)
        #expect(
            rig.instructions.map(\.words) == Array(repeating: "ana (uid 1000): drill", count: 2))
        try rig.pass(until: "an entry") { !rig.entries(since: batch).isEmpty }
        try rig.expectAllIsKnown()
    }

    /// A file that is set before a start is read before anything else: no order follows, whatever strategies decide.
    @Test func aFileHoldsForTheNextStart() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        let batch = rig.history.batches.count
        try rig.crash {
            try KillFile(folder: rig.folder).set("bob (uid 1001): before the start")
            // A second one changes nothing of the first.
            try KillFile(folder: rig.folder).set("somebody else")
        }
        try rig.pass(.minutes(15))
        #expect(rig.haltCauses == [.killed])
        #expect(rig.entries(since: batch).isEmpty)
        let words = try #require(rig.instructions.last).words
        #expect(words.contains("bob (uid 1001): before the start"))
        #expect(try rig.ask(#"{"do":"status"}"#)["killed"] == .bool(true))
        // The journal has it, too: deleting the file lifts nothing.
        try FileManager.default.removeItem(atPath: rig.killFile.path)
        try rig.crash()
        try rig.pass(.minutes(7))
        #expect(rig.haltCauses == [.killed])
        #expect(rig.entries(since: batch).isEmpty)
        try rig.expectAllIsKnown()
    }

    /// In a new folder, too.
    @Test func aNewSessionBeginsKilled() throws {
        let rig = try SessionRig(keepsHistory: true)
        try KillFile(folder: rig.folder).set("by hand")
        try rig.pass(.minutes(15))
        #expect(rig.haltCauses == [.killed])
        #expect(rig.gateway.received(.placeOrder).isEmpty)
        try rig.expectVerifiedJournal("killed")
    }

    /// It comes before whatever came at the same time, and what would lift it is refused.
    @Test func aKillBeatsWhatComesWithIt() throws {
        let rig = try SessionRig.withRestingEntry()
        let answers = try rig.ask(together: [
            #"{"do":"start","strategy":"cross_sectional_momentum","reason":"x"}"#,
            #"{"do":"resume","cause":"killed","account":"DU1234567","reason":"x"}"#,
            #"{"do":"resume","cause":"all","reason":"x"}"#, #"{"do":"kill"}"#,
        ])
        #expect(answers.map { $0["exit"] } == [nil, .integer(5), nil, nil])
        #expect(rig.haltCauses == [.killed])
        #expect(rig.instructions.first?.action == .kill)
        try rig.pass(.seconds(3))
        #expect(try rig.workingAtGateway().isEmpty)
    }

    /// Whatever has the file's name kills: a link to nowhere, a folder. What cannot be removed cannot be lifted.
    @Test(arguments: [true, false])
    func whateverHasItsNameKills(isFolder: Bool) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.seconds(30))
        if isFolder {
            try FileManager.default.createDirectory(
                atPath: rig.folder + "/kill", withIntermediateDirectories: false)
        } else {
            try FileManager.default.createSymbolicLink(
                atPath: rig.folder + "/kill", withDestinationPath: rig.folder + "/none/kill")
        }
        try rig.pass(.seconds(1))
        #expect(rig.haltCauses == [.killed])
        let lifted = try rig.order("resume", #""cause":"killed","account":"DU1234567""#)
        #expect((lifted["error"] != nil) == isFolder)
        #expect(rig.haltCauses == (isFolder ? [.killed] : []))
        try rig.pass(.seconds(1))
        #expect(rig.haltCauses == (isFolder ? [.killed] : []))
    }
}
