/// Sessions in a row each, and what held in them in a column for each invariant.
package struct ChaosTable: Sendable {
    private let rows: [Row]

    private struct Row: Sendable {
        let name: String
        /// `ok`, or how many findings there are.
        let cells: [String]
    }

    /// The table of sessions, in their order.
    package init(_ runs: [ChaosRun.Outcome]) {
        rows = runs.map { run in
            Row(
                name: run.name,
                cells: ChaosInvariant.allCases.map { invariant in
                    run.findings[invariant].map { "\($0.count)" } ?? "ok"
                })
        }
    }

    /// For terminals: columns have numbers, which stand below with their names.
    var lines: [String] {
        let names = ChaosInvariant.allCases.map(\.rawValue)
        let width = rows.map(\.name.count).max() ?? 0
        func line(_ name: String, _ cells: [String]) -> String {
            name + String(repeating: " ", count: width - name.count)
                + cells.map { String(repeating: " ", count: max(0, 3 - $0.count)) + $0 }.joined()
        }
        let numbers = names.indices.map { "\($0 + 1)" }
        let legend = names.enumerated().map { "\($0 + 1) \($1)" }.joined(separator: ", ")
        return [line("", numbers)] + rows.map { line($0.name, $0.cells) } + [legend]
    }

    /// As Markdown.
    package var markdown: [String] {
        let names = ChaosInvariant.allCases.map(\.rawValue)
        let head = [
            "| scenario | \(names.joined(separator: " | ")) |",
            "|---|" + String(repeating: "---|", count: names.count),
        ]
        return head + rows.map { "| `\($0.name)` | \($0.cells.joined(separator: " | ")) |" }
    }
}
