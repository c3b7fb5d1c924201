import Configuration
import Foundation
import Model
import Orders
import Primitives
import Reporting
import Testing
import TradingEngine

@testable import Runtime

/// Each intent's end is in the decisions once, with figures that explain it, in every configuration that comes
/// with the program.
@Suite struct DecisionAccountTests {
    private static let root =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .path() + "/"

    private static let shipped: [String] = ["config", "Samples"].flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
        return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }.sorted()
            .map { "\(folder)/\($0)" }
    }

    @Test func thereAreConfigurations() { #expect(Self.shipped.count >= 4) }

    @Test(arguments: shipped)
    func everyIntentEndsOnceWithItsFigures(file: String) throws {
        var document = SettingsDocument()
        document.merge(file: Self.root + file)
        let settings = try SettingsCheck(document).get()
        let plan = try BacktestPlan(settings, try settings.loadData())
        var backtest = try plan.run(keepsNotes: false, decisions: .all)
        let record = backtest.record(
            names: settings.active.map(\.name), warnings: [])
        let decisions = record.decisions
        #expect(!decisions.isEmpty)
        #expect(decisions.map(\.number) == (0..<decisions.count).map { Int64($0 + 1) })
        expectOneEndEach(decisions)
        expectCounts(record)
        for decision in decisions { expectFigures(decision) }
    }

    // MARK: Ends

    /// Every intent is received once, first, and then refused, dropped or ordered once. To withdraw is no order.
    private func expectOneEndEach(_ decisions: [Decision]) {
        var kinds: [Int64: [Decision.Kind]] = [:]
        for decision in decisions {
            guard let intent = decision.subject.intent else { continue }
            kinds[intent, default: []].append(decision.kind)
        }
        #expect(kinds.keys.sorted() == (0..<kinds.count).map { Int64($0 + 1) })
        for (intent, kinds) in kinds {
            let first = kinds[0]
            #expect(first.topic == .intentReceived, "intent \(intent)")
            #expect(kinds.count { $0.topic == .intentReceived } == 1, "intent \(intent)")
            let ends = kinds.count { [.refused, .dropped, .submitted].contains($0.topic) }
            #expect(ends == (first == .intentReceived(.withdraw) ? 0 : 1), "intent \(intent)")
        }
    }

    /// The summary counts the refusals that are decisions, and each order is one decision.
    private func expectCounts(_ record: RunRecord) {
        var refusals: [String: Int] = [:]
        for decision in record.decisions {
            if case .refused(let rule) = decision.kind { refusals[rule.reason, default: 0] += 1 }
        }
        let summary = record.refusals.map { ($0.reason, $0.count) }
        #expect(refusals == Dictionary(uniqueKeysWithValues: summary))
        let submitted = record.decisions.filter { $0.kind.topic == .submitted }
        #expect(
            submitted.compactMap { $0.subject.order?.number }.sorted()
                == record.orders.map { $0.ticket.id.number }.sorted())
    }

    // MARK: Figures

    /// A decision's figures explain it by arithmetic.
    private func expectFigures(_ decision: Decision) {
        let figures = decision.figures
        func amount(_ name: Figure.Name) -> Int64? { figures[name]?.amount }
        switch decision.kind {
        case .sized(.percentOfEquity):
            guard let equity = amount(.equity), let percent = amount(.size),
                let price = amount(.price), let result = amount(.result)
            else {
                Issue.record("\(decision.number): a figure of the size is missing")
                return
            }
            // Money has 6 places, percentages and prices have others: whole shares, rounded down.
            let part =
                Double(equity) / 1e6 * Double(percent) / Double(Percent(1).units) / 100
            let shares = part / (Double(price) / 1e8)
            #expect(Double(result) / 1e8 == shares.rounded(.down), "\(decision.number)")
        case .sized(.fixedShares):
            #expect(amount(.result) == amount(.size), "\(decision.number)")
        case .reduced:
            let isSmaller = (amount(.allowed) ?? 0).magnitude < (amount(.asked) ?? 0).magnitude
            #expect(isSmaller, "\(decision.number)")
            #expect((amount(.value) ?? 0) > (amount(.limit) ?? 0), "\(decision.number)")
        case .refused(.selfCrossing):
            #expect((amount(.working) ?? 0) != 0, "\(decision.number)")
        case .refused:
            #expect(amount(.asked) != nil, "\(decision.number)")
            #expect((amount(.value) ?? 0) > (amount(.limit) ?? 0), "\(decision.number)")
        case .dropped(.alreadyEntering), .dropped(.alreadyExiting):
            #expect((amount(.working) ?? 0) > 0, "\(decision.number)")
        case .submitted: #expect(amount(.asked) != nil, "\(decision.number)")
        default: break
        }
    }
}
