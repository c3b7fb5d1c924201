import Model
import Synchronization
import Testing

@testable import Catalog

@Suite struct DataFolderTests {
    private let bars = "date,open,high,low,close\n2024-01-02,1,1,1,1\n"

    @Test func symbolsAreFileNamesInUpperCaseSorted() throws {
        let sandbox = try Sandbox()
        for name in ["msft.csv", "BRK.B.csv", "Aapl.CSV"] { try sandbox.write(bars, to: name) }
        try sandbox.write(Sandbox.packed(Array(bars.utf8)), to: "spy.csv.gz")
        let data = try DataLoader.load(sandbox.source())
        #expect(data.series.map(\.symbol) == ["AAPL", "BRK.B", "MSFT", "SPY"])
    }

    @Test func otherFilesAndSubfoldersAreIgnored() throws {
        let sandbox = try Sandbox()
        try sandbox.write(bars, to: "A.csv")
        for name in ["README.md", "B.txt", ".csv", ".C.csv", "D.csv.bz2"] {
            try sandbox.write("nonsense", to: name)
        }
        try sandbox.makeFolder("E.csv")
        #expect(try DataLoader.load(sandbox.source()).series.map(\.symbol) == ["A"])
    }

    @Test func requestedSymbolsAreReadOnceInAnyCaseAndTheOthersNotAtAll() throws {
        let sandbox = try Sandbox()
        for name in ["A.csv", "B.csv"] { try sandbox.write(bars, to: name) }
        try sandbox.write("nonsense", to: "C.csv")
        let data = try DataLoader.load(sandbox.source { $0.symbols = ["b", "A", "B"] })
        #expect(data.series.map(\.symbol) == ["A", "B"])
    }

    @Test func oneFileIsASource() throws {
        let sandbox = try Sandbox()
        try sandbox.write(bars, to: "A.csv")
        let source = sandbox.source { $0.path += "/A.csv" }
        let series = try DataLoader.load(source).series
        #expect(series.map(\.symbol) == ["A"])
        #expect(series.first?.file.path == source.path)
        #expect(series.first?.file.bytes == bars.utf8.count)
        #expect(series.first?.file.inode != 0)
        // Written after 2024 began.
        #expect(series.first?.file.modified ?? 0 > 1_704_067_200_000_000_000)
    }

    @Test func missingPathIsNamed() throws {
        let sandbox = try Sandbox()
        let error = #expect(throws: DataError.self) {
            try DataLoader.load(sandbox.source { $0.path += "/none" })
        }
        #expect(
            error?.description == "\(sandbox.path)/none: could not be found: No such file or "
                + "directory. Set backtest.data.path to a folder of SYMBOL.csv files or to one "
                + "such file.")
    }

    @Test func emptyFolderIsRefused() throws {
        let sandbox = try Sandbox()
        let error = #expect(throws: DataError.self) { try DataLoader.load(sandbox.source()) }
        #expect(error?.finding == "holds no SYMBOL.csv or SYMBOL.csv.gz file")
    }

    @Test func fileThatIsNoBarFileIsRefused() throws {
        let sandbox = try Sandbox()
        try sandbox.write(bars, to: "A.txt")
        let error = #expect(throws: DataError.self) {
            try DataLoader.load(sandbox.source { $0.path += "/A.txt" })
        }
        #expect(error?.finding == "is no bar file")
    }

    @Test func missingSymbolNamesTheNearestOnes() throws {
        let sandbox = try Sandbox()
        for name in ["AAPL", "AMZN", "APA", "MSFT", "XOM"] {
            try sandbox.write(bars, to: name + ".csv")
        }
        let error = #expect(throws: DataError.self) {
            try DataLoader.load(sandbox.source { $0.symbols = ["MSFT", "APPL"] })
        }
        #expect(error?.finding == "holds no file for 'APPL'")
        // APPL to AAPL replaces one letter, to APA two, to AMZN three.
        #expect(error?.remedy == "The nearest of its 5 symbols: AAPL, APA, AMZN.")
    }

    @Test func symbolInTwoFilesIsRefused() throws {
        let sandbox = try Sandbox()
        try sandbox.write(bars, to: "A.csv")
        try sandbox.write(bars, to: "a.csv.gz")
        let error = #expect(throws: DataError.self) { try DataLoader.load(sandbox.source()) }
        #expect(
            error?.finding == "holds A more than once: \(sandbox.path)/A.csv and "
                + "\(sandbox.path)/a.csv.gz")
    }

    @Test func firstFaultyFileInSymbolOrderIsReported() throws {
        let sandbox = try Sandbox()
        for index in 10..<60 {
            let text =
                index < 30 ? bars : "date,open,high,low,close\n2024-01-02,1,1,1,bad\(index)\n"
            try sandbox.write(text, to: "S\(index).csv")
        }
        for _ in 0..<5 {
            let error = #expect(throws: DataError.self) { try DataLoader.load(sandbox.source()) }
            #expect(error?.file == sandbox.path + "/S30.csv")
            #expect(error?.finding == "found 'bad30', which is not a decimal number")
        }
    }

    @Test func progressGrowsToTheSumOfTheSizes() throws {
        let sandbox = try Sandbox()
        for name in ["A.csv", "B.csv", "C.csv"] { try sandbox.write(bars, to: name) }
        let total = 3 * bars.utf8.count
        let reported = Mutex<[Int]>([])
        _ = try DataLoader.load(sandbox.source()) { done, of in
            #expect(of == total)
            reported.withLock { $0.append(done) }
        }
        let done = reported.withLock { $0 }
        #expect(done == done.sorted())
        #expect(done.last == total)
    }
}
