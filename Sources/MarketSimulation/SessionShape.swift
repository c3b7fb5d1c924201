/// How a session's variance and volume are spread over its hours.
package enum SessionShape {
    /// The U of a session: four times as much at its ends as in its middle, 1 on average.
    ///
    /// - Parameter slot: from 0 at the open to 1 at the close.
    package static func weight(at slot: Double) -> Double {
        let side = 2 * slot - 1
        return (1 + 3 * side * side) / 2
    }
}
