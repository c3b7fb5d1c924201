import CLinux
import Model
import Primitives

/// Series whose bars begin and end together, as most do: their order in time is that of one of them.
extension BarFeed {
    /// How many rows are compared ahead: few enough to be still at hand when they are delivered.
    private static var stepMax: Int { 16 }

    /// Finds out for how many rows all series go on together, when all their bars have just begun.
    mutating func keepStep() {
        var count = Self.stepMax
        for index in 1..<cursors.count where count > 0 {
            count = cursors[index].rowsInStep(with: cursors[0], atMost: count)
        }
        rowsInStep = count
    }

    /// Ends the bars in progress, begins the next, or both, of all series.
    mutating func advanceInStep(_ now: Int64) {
        let isEnd = cursors[0].isOpen
        if isEnd {
            endAll()
            ahead += 1
        }
        openCount = cursors[0].advance(now) ? cursors.count : 0
        closeCount = isEnd ? cursors.count : 0
        due = cursors[0].due
        if ahead == rowsInStep { breakStep() }
    }

    /// Whether a bar of a series is in progress.
    func isOpen(_ index: Int) -> Bool { cursors[rowsInStep > 0 ? 0 : index].isOpen }

    /// The row of a series' bar in progress.
    @usableFromInline
    func row(of index: Int) -> Int {
        index == 0 ? cursors[0].row : cursors[index].row + ahead
    }

    /// Notes all bars in progress as those that end now.
    private mutating func endAll() {
        // Taken out meanwhile: a span of it would hold all of the feed.
        var bars: [Bar] = []
        swap(&bars, &finished)
        var finished = bars.mutableSpan
        for index in 0..<cursors.count {
            let row = row(of: index)
            martlet_prefetch(cursors[index].rows + row + Cursor.rowsAhead)
            finished[index] = Bar(
                cursors[index].rows[row], of: cursors[index].instrument,
                barSize: cursors[index].barSize)
        }
        swap(&bars, &self.finished)
    }

    /// Moves all cursors to where the first is.
    private mutating func breakStep() {
        for index in 1..<cursors.count {
            cursors[index].row += ahead
            if cursors[0].isOpen {
                cursors[index].begin(cursors[index].row)
            } else {
                cursors[index].isOpen = false
                cursors[index].due = cursors[0].due
            }
        }
        rowsInStep = 0
        ahead = 0
    }
}

extension BarFeed.Cursor {
    /// How many of the rows behind the bar in progress begin when those of another series do, at most
    /// `limit`.
    func rowsInStep(with other: Self, atMost limit: Int) -> Int {
        let limit = min(limit, end - row - 1, other.end - other.row - 1)
        let (own, others) = (rows + (row + 1), other.rows + (other.row + 1))
        var count = 0
        while count < limit && own[count].start == others[count].start { count &+= 1 }
        return count
    }
}
