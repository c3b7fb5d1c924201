import Primitives

/// Which values of which settings a search tries: every combination of its axes.
package struct ParameterGrid: Sendable {
    /// The settings, in the order given; the last one varies fastest.
    package let axes: [Axis]
    /// How many combinations there are.
    package let count: Int

    /// One setting and its values.
    package struct Axis: Hashable, Sendable {
        /// What the user called it.
        package let name: String
        /// The path of its key.
        package let path: String
        /// The values, as texts a configuration may hold.
        package let values: [String]
    }

    /// More combinations than this are a mistake, or a matter for something better than trying all.
    package static let countMax = 100_000

    /// Reads axes such as `fast=5,10,20` or `fast=5:50:5` (first, last, step). A name without a dot is a
    /// parameter of the first strategy.
    package init(_ texts: [String]) throws(RunFailure) {
        var axes: [Axis] = []
        var count = 1
        for text in texts {
            let axis = try Axis(text)
            guard !axes.contains(where: { $0.path == axis.path }) else {
                throw .usage("--grid \(text): \(axis.path) has an axis already.")
            }
            axes.append(axis)
            let (product, overflowed) = count.multipliedReportingOverflow(by: axis.values.count)
            guard !overflowed, product <= Self.countMax else {
                throw .usage("--grid: more than \(Self.countMax) combinations. Take larger steps.")
            }
            count = product
        }
        self.axes = axes
        self.count = count
    }

    /// The values of a combination, one an axis.
    ///
    /// - Parameter number: from 0, below `count`.
    package func values(of number: Int) -> [String] {
        zip(axes, indices(of: number)).map { $0.values[$1] }
    }

    /// The place of each axis's value of a combination.
    ///
    /// - Parameter number: from 0, below `count`.
    func indices(of number: Int) -> [Int] {
        var remaining = number
        var indices: [Int] = []
        for axis in axes.reversed() {
            indices.append(remaining % axis.values.count)
            remaining /= axis.values.count
        }
        return indices.reversed()
    }
}

extension ParameterGrid.Axis {
    fileprivate init(_ text: String) throws(RunFailure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw .usage("--grid \(text): expected name=5,10,20 or name=first:last:step.")
        }
        name = String(parts[0])
        path = name.contains(".") ? name : "strategies.0.parameters.\(name)"
        let bounds = parts[1].split(separator: ":", omittingEmptySubsequences: false)
        if bounds.count == 3 {
            values = try Self.range(bounds.map(String.init), in: text)
        } else {
            let listed = parts[1].split(separator: ",", omittingEmptySubsequences: false)
            values = listed.map(String.init)
        }
        guard !values.contains("") else {
            throw .usage("--grid \(text): there is an empty value.")
        }
        guard Set(values).count == values.count else {
            throw .usage("--grid \(text): a value comes twice.")
        }
    }

    /// The values from first to last, exactly: steps are decimal, not binary.
    private static func range(_ bounds: [String], in text: String) throws(RunFailure) -> [String] {
        var units: [Int64] = []
        for bound in bounds {
            do throws(DecimalError) {
                units.append(try Quantity(bound).units)
            } catch {
                throw .usage("--grid \(text): '\(bound)' is no number.")
            }
        }
        let (first, last, step) = (units[0], units[1], units[2])
        guard step > 0, first <= last else {
            throw .usage("--grid \(text): from the first to the last value in steps above zero.")
        }
        guard (Int128(last) - Int128(first)) / Int128(step) < Int128(ParameterGrid.countMax) else {
            throw .usage("--grid \(text): more than \(ParameterGrid.countMax) values.")
        }
        return stride(from: first, through: last, by: Int64.Stride(step)).map {
            "\(Quantity(units: $0))"
        }
    }
}
