package import Model
import Primitives

/// The executions of one order by their base id, newest versions only, with what each has cost.
///
/// A set: adding the same thing twice, or two things in either order, gives the same value.
struct ExecutionSet: Equatable, Sendable {
    // Most orders fill at once: the first entry lives in place and costs no allocation.
    private var first: Entry?
    private var others: [Entry] = []

    /// What is known of one execution. The commission may come first.
    private struct Entry: Equatable, Sendable {
        let base: Int64
        var execution: Execution?
        var commission: CommissionReport?

        var uncharged: Quantity { commission == nil ? execution?.quantity ?? .zero : .zero }

        func pass(to body: (Execution, Money) -> Void) {
            if let execution { body(execution, commission?.amount ?? .zero) }
        }
    }

    /// The quantity executed.
    @inline(__always)
    var quantity: Quantity {
        (first?.execution?.quantity ?? .zero)
            + others.reduce(.zero) { $0 + ($1.execution?.quantity ?? .zero) }
    }

    /// The quantity executed whose commission is not known yet.
    var uncharged: Quantity {
        var sum = first?.uncharged ?? .zero
        for entry in others { sum += entry.uncharged }
        return sum
    }

    /// The newest versions, by base id.
    var executions: [Execution] {
        ([first].compactMap(\.self) + others).compactMap(\.execution)
    }

    /// Calls `body` with each execution, newest versions, by base id, and with what it has cost so far.
    func forEach(_ body: (_ execution: Execution, _ commission: Money) -> Void) {
        // One call for the usual order of one execution, without an array around it.
        if let first { first.pass(to: body) }
        for entry in others { entry.pass(to: body) }
    }

    /// Whether anything is known.
    var isEmpty: Bool { first == nil }

    /// Keeps the newest version of an execution.
    @inline(__always)
    mutating func keepNewest(_ execution: Execution) -> ExecutionChange {
        update(base: execution.id.base) { entry in
            guard let known = entry.execution else {
                entry.execution = execution
                return .added
            }
            guard known.isOlder(than: execution) else { return .unchanged }
            entry.execution = execution
            return .replaced(known)
        }
    }

    /// Keeps the newest version of a commission. Returns by how much the charge changes.
    @inline(__always)
    mutating func keepNewest(_ report: CommissionReport) -> Money {
        update(base: report.execution.base) { entry in
            guard let known = entry.commission else {
                entry.commission = report
                return report.amount
            }
            guard known.isOlder(than: report) else { return .zero }
            entry.commission = report
            return report.amount - known.amount
        }
    }

    @inline(__always)
    private mutating func update<Change>(
        base: Int64, _ change: (inout Entry) -> Change
    ) -> Change {
        guard var head = first else {
            var entry = Entry(base: base)
            defer { first = entry }
            return change(&entry)
        }
        if head.base == base {
            defer { first = head }
            return change(&head)
        }
        if base < head.base {
            others.insert(head, at: 0)
            var entry = Entry(base: base)
            defer { first = entry }
            return change(&entry)
        }
        let place = others.firstIndex { $0.base >= base } ?? others.count
        if place == others.count || others[place].base != base {
            others.insert(Entry(base: base), at: place)
        }
        return change(&others[place])
    }
}

/// What an execution changed in its set.
package enum ExecutionChange: Equatable, Sendable {
    /// It was known, in this version or a newer one.
    case unchanged
    /// It is new.
    case added
    /// It takes the place of this version.
    case replaced(Execution)
}

extension Execution {
    /// Whether `other` takes this version's place. Versions count; should a venue send two different
    /// executions as the same version, the later, then larger one is taken, whichever came first.
    fileprivate func isOlder(than other: Execution) -> Bool {
        if id.revision != other.id.revision { return id.revision < other.id.revision }
        if time != other.time { return time < other.time }
        if price != other.price { return price < other.price }
        if quantity != other.quantity { return quantity < other.quantity }
        if instrument != other.instrument { return instrument < other.instrument }
        return side == .sell && other.side == .buy
    }
}

extension CommissionReport {
    fileprivate func isOlder(than other: CommissionReport) -> Bool {
        if execution.revision != other.execution.revision {
            return execution.revision < other.execution.revision
        }
        return amount < other.amount
    }
}
