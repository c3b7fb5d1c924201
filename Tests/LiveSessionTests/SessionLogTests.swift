import Accounting
import Configuration
import Foundation
import GatewayTestSupport
import MarketState
import Model
import Orders
import Primitives
import Testing
import TradingEngine

@testable import Runtime

/// What a session logs.
@Suite struct SessionLogTests {
    private static let json = SessionRig.rotation + "\nlogging: {format: json, level: trace}\n"

    private func lines(_ name: String, of rig: SessionRig) throws -> [JSONValue] {
        let text = try String(contentsOfFile: "\(rig.folder)/logs/\(name)", encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    }

    private func text(_ name: String, of value: JSONValue) throws -> String {
        switch try #require(value[name], "\(value.text)") {
        case .text(let text): text
        case .number(let number): number
        default: throw SessionRig.Missing(what: "\(name) in \(value.text)")
        }
    }

    private func quantity(_ text: String) throws -> Quantity { try Quantity(text) }

    /// LOG-01, LOG-06: entries of every kind come from a session, each a JSON object with a number of its own, and
    /// none has the account.
    @Test func everyCategoryIsLogged() throws {
        let rig = try SessionRig(Self.json, writesFiles: true)
        try rig.pass(.minutes(30))
        #expect(rig.driver.fillCount > 3)
        let lines = try lines("martlet.log", of: rig)
        let categories = Set(try lines.map { try text("category", of: $0) })
        let expected: [LoggingSettings.Category] = [
            .connection, .data, .scores, .signals, .orders, .executions, .portfolio,
        ]
        #expect(categories.isSuperset(of: expected.map(\.rawValue)))
        let numbers = try lines.map { try text("sequence", of: $0) }
        #expect(numbers == (1...lines.count).map { "\($0)" })
        #expect(try lines.allSatisfy { try text("at", of: $0).hasSuffix("Z") })
        #expect(lines.allSatisfy { !$0.text.contains("DU1234567") })
        // Information about data comes once a minute for each symbol.
        for symbol in rig.settings.trading.symbols {
            let data = lines.filter {
                $0["category"] == .text("data") && $0["message"] == .text("data")
                    && $0["symbol"] == .text(symbol)
            }
            #expect((20...31).contains(data.count), "\(symbol) \(data.count)")
        }
    }

    /// LOG-01: a category has a level of its own.
    @Test func aCategoryIsFiltered() throws {
        let rig = try SessionRig(
            SessionRig.rotation
                + "\nlogging: {format: json, level: warning, categories: {orders: info, data: critical}}\n",
            writesFiles: true)
        try rig.pass(.minutes(30))
        #expect(rig.driver.orderCount > 3)
        let lines = try lines("martlet.log", of: rig)
        let submitted = lines.count { $0["message"] == .text("SUBMITTED ENTRY") }
        #expect(submitted > 0)
        let others = try lines.filter { try text("category", of: $0) != "orders" }
        #expect(
            try others.allSatisfy {
                ["warning", "error", "critical"].contains(try text("level", of: $0))
            })
        #expect(lines.allSatisfy { $0["category"] != .text("data") })
    }

    /// LOG-05: the log of trades has each execution once, through a crash, with what it cost as soon as that is known:
    /// cash and positions of the gateway's own ledger follow from it.
    @Test func theLogOfTradesIsTheLedger() throws {
        let rig = try SessionRig(Self.json, writesFiles: true)
        try rig.pass(.minutes(25))
        try rig.crash()
        try rig.pass(.minutes(25))
        try rig.expectEqualLedgers()
        var cash = Money(units: 100_000_000_000)
        #expect(rig.settings.account.startingCapital == cash)
        var positions: [String: Quantity] = [:]
        var commissions: [String: Money] = [:]
        var booked: Set<String> = []
        for line in try lines("trades.log", of: rig) {
            let execution = try text("execution", of: line)
            if line["commission"] != nil {
                commissions[execution] = try Money(try text("commission", of: line))
            }
            guard line["message"] == .text("FILL") else { continue }
            #expect(booked.insert(execution).inserted, "\(execution) is there twice")
            for name in ["time", "order", "strategy", "reason"] { #expect(line[name] != nil) }
            let shares = try quantity(try text("quantity", of: line))
            let price = try Price(try text("price", of: line))
            let isBuy = try text("side", of: line) == "BUY"
            positions[try text("symbol", of: line), default: .zero] += isBuy ? shares : -shares
            let amount = (price * shares).rounded()
            cash = isBuy ? cash - amount : cash + amount
        }
        #expect(
            booked.count
                == rig.driver.withEngine { engine in
                    var count = 0
                    for index in engine.orders.records.indices {
                        count += engine.orders.records[index].facts.allExecutions.count
                    }
                    return count
                })
        #expect(Set(commissions.keys) == booked)
        for commission in commissions.values { cash = cash - commission }
        let ledger = rig.driver.withEngine { $0.portfolio.cash.rounded() }
        #expect(ledger == cash)
        for (index, symbol) in rig.settings.trading.symbols.enumerated() {
            let held = rig.driver.withEngine {
                $0.portfolio.quantity(of: InstrumentID(index: index))
            }
            #expect(held == positions[symbol] ?? .zero, "\(symbol)")
        }
    }

    /// CON-16: every change of the link is one line of the session's log, with its cause and how long the state before
    /// lasted.
    @Test func everyChangeOfTheLinkIsOneLine() throws {
        let rig = try SessionRig(Self.json, writesFiles: true)
        try rig.pass(.minutes(5))
        _ = rig.gateway.control("{\"do\":\"restart\",\"seconds\":90}")
        try rig.pass(.minutes(5))
        let changes = try lines("martlet.log", of: rig).filter {
            $0["former"] != nil || $0["state"] != nil
        }
        let states = try changes.map { try text("state", of: $0) }
        #expect(
            states == ["HANDSHAKE", "SYNC", "READY", "DOWN", "HANDSHAKE", "SYNC", "READY"])
        for (line, former) in zip(changes.dropFirst(), states) {
            #expect(line["former"] == .text(former))
            #expect(line["after_ms"] != nil)
        }
        for line in changes { #expect(line["cause"] != nil, "\(line.text)") }
        // The gateway was away for 90 seconds.
        let down = try #require(changes.first { $0["former"] == .text("DOWN") })
        let milliseconds = try #require(Int(try text("after_ms", of: down)))
        #expect((90_000...120_000).contains(milliseconds))
    }

    /// LOG-05: executions are found by the orders that their reports name, however often they are listed. Where none
    /// names one, the orders are looked through once for all of them.
    @Test func executionsAreFoundByTheirOrders() throws {
        let rig = try SessionRig(Self.json, keepsHistory: true)
        try rig.pass(.minutes(25))
        // Each connection lists the day's executions.
        for _ in 0..<3 {
            try rig.gateway.fault(#"{"do":"drop"}"#)
            try rig.pass(.minutes(2))
        }
        let events = rig.history.batches.flatMap(\.events)
        var listed: Set<Int64> = []
        let nameless = events.compactMap { event -> Event? in
            guard case .listing(.execution(_, let execution)) = event.kind else { return nil }
            listed.insert(execution.id.base)
            return Event(at: event.at, kind: .listing(.execution(BrokerOrderKey(), execution)))
        }
        #expect(nameless.count > listed.count)
        #expect(listed.count > 1)
        var (named, searched) = (TradeEntries(), TradeEntries())
        let counts = rig.driver.withEngine { engine in
            var booked = 0
            for index in engine.orders.records.indices {
                booked += engine.orders.records[index].facts.allExecutions.count
            }
            let names = SessionNames()
            let written = (0..<2).map { _ in named.take(events, names, engine).count }
            let found = (0..<2).map { _ in searched.take(nameless, names, engine).count }
            return [booked] + written + found
        }
        let booked = try #require(counts?.first)
        #expect(counts == [booked, booked, 0, listed.count, 0])
        #expect(named.searchCount == 0)
        #expect(searched.searchCount == 1)
    }

    private func portfolioLines(of rig: SessionRig) throws -> [JSONValue] {
        try lines("martlet.log", of: rig).filter {
            $0["category"] == .text("portfolio") && $0["message"] == .text("portfolio")
        }
    }

    /// PRT-06: the day's profit counts from the day's beginning, also behind starts of the program in its middle. Where
    /// the journal does not have that, the time from which it counts is named.
    @Test func theDaysProfitCountsFromItsBeginning() throws {
        // A Monday, 15:30 in New York.
        let rig = try SessionRig(
            Self.json + "\nmonitoring: {portfolio_log_seconds: 30}\n",
            at: Timestamp(seconds: 1_709_584_200), writesFiles: true)
        func expectProfit(from opening: Money) throws {
            let last = try #require(try portfolioLines(of: rig).last)
            let profit = try Money(try text("day_profit", of: last))
            #expect(try Money(try text("equity", of: last)) - opening == profit)
            #expect(profit != .zero)
            #expect(last["since"] == nil)
        }
        try rig.pass(.minutes(20))
        try rig.crash()
        try rig.pass(.minutes(5))
        try expectProfit(from: rig.settings.account.startingCapital)

        let calendar = rig.settings.backtest.calendar
        let next = calendar.day(of: rig.now).advanced(by: 1)
        try rig.pass(to: calendar.open(on: next) - .minutes(30))
        let equity = rig.driver.withEngine { $0.portfolio.equity.rounded() }
        let opening = try #require(equity)
        try rig.pass(.minutes(55))
        try expectProfit(from: opening)
        for _ in 0..<2 {
            try rig.crash()
            try rig.pass(.minutes(5))
            try expectProfit(from: opening)
        }

        let begun = rig.now
        try rig.crash {
            for name in try FileManager.default.contentsOfDirectory(atPath: rig.folder)
            where name.hasPrefix("\(next).1.") {
                try FileManager.default.removeItem(atPath: rig.folder + "/" + name)
            }
        }
        try rig.pass(.minutes(1))
        let last = try #require(try portfolioLines(of: rig).last)
        let since = try text("since", of: last)
        #expect(since > "\(calendar.open(on: next))" && since < "\(begun)", "\(since)")
    }

    /// PRT-06: how the portfolio stands is one line at the configured times.
    @Test func thePortfolioIsLogged() throws {
        let rig = try SessionRig(
            Self.json + "\nmonitoring: {portfolio_log_seconds: 30}\n", writesFiles: true)
        try rig.pass(.minutes(30))
        let lines = try portfolioLines(of: rig)
        #expect((58...61).contains(lines.count))
        let first = try #require(lines.first)
        #expect(first["equity"] == .number("100000.00"))
        #expect(first["cash"] == .number("100000.00"))
        #expect(first["day_profit"] == .number("0.00"))
        #expect(first["exposure"] == .number("0.00"))
        #expect(first["positions"] == .number("0"))
        #expect(first["open_orders"] == .number("0"))
        let last = try #require(lines.last)
        #expect(last["positions"] == .number("2"))
        func money(_ name: String) throws -> Money { try Money(try text(name, of: last)) }
        // Long positions only, and no payment.
        #expect(try money("equity") - money("cash") == money("exposure"))
        #expect(
            try money("day_profit") == money("equity") - rig.settings.account.startingCapital)
        #expect(try money("day_profit") != .zero)
    }

    /// LOG-02: a folder that cannot be written to stops no trading. The user is notified once, and what is lost is
    /// counted and named as soon as the log can be written.
    @Test func aLogThatCannotBeWrittenStopsNothing() throws {
        let rig = try SessionRig(Self.json, writesFiles: true)
        let folder = rig.folder + "/logs"
        try rig.pass(.minutes(5))
        try FileManager.default.removeItem(atPath: folder)
        try "no folder".write(toFile: folder, atomically: false, encoding: .utf8)
        let orders = rig.driver.orderCount
        try rig.pass(.minutes(20))
        #expect(rig.driver.orderCount > orders)
        let complaints = rig.files.complaints.all.filter {
            $0.contains("the log cannot be written")
        }
        #expect(complaints.count == 1)
        let dropped = try #require(rig.files.log?.droppedCount)
        #expect(dropped > 100)
        try FileManager.default.removeItem(atPath: folder)
        try rig.pass(.minutes(2))
        #expect(rig.files.log?.droppedCount == dropped)
        let first = try #require(try lines("martlet.log", of: rig).first)
        #expect(
            first["message"] == .text("\(dropped) entries could not be written before this one"))
        try rig.expectEqualLedgers()
    }
}
