import Primitives
import Testing
import Model

@testable import Configuration

@Suite struct ExecutionSettingsTests {
    @Test(
        arguments: [
            ("auto", nil), ("now", .now), ("open", .open), ("close", .close),
            ("open+30 min", .afterOpen(.minutes(30))), ("open+1min", .afterOpen(.minutes(1))),
            ("open+ 180 min", .afterOpen(.minutes(180))),
        ] as [(String, ExecutionWindow?)])
    func windowsAreRead(text: String, window: ExecutionWindow?) throws {
        let settings = try Sample.settings(Sample.minimal, set: ["execution.window=\(text)"])
        #expect(settings.execution.window == window)
        let form = SettingsForm.executionWindow
        #expect(form.read(form.write(window)) == .some(window))
    }

    @Test(arguments: [
        "opening", "open+0 min", "open+181 min", "open+30", "open-5 min", "open+min", "close+5 min",
        "OPEN", "open+1e2 min",
    ])
    func otherWindowsAreRefused(text: String) {
        let problems = Sample.problems(Sample.minimal, set: ["execution.window=\(text)"])
        #expect(problems.map(\.path) == ["execution.window"])
    }

    @Test func windowNeedsSessions() {
        for window in ["open", "close", "open+30 min"] {
            let problems = Sample.problems(
                Sample.minimal, set: ["execution.window=\(window)", "backtest.calendar=always"])
            #expect(
                problems.map(\.description) == [
                    "execution: window is \(window), but without sessions there is none, allowed auto "
                        + "or now, with backtest.calendar: always."
                ])
        }
        #expect(
            Sample.problems(
                Sample.minimal, set: ["execution.window=now", "backtest.calendar=always"]
            ).isEmpty)
    }

    @Test func windowAfterTheOpenNeedsShorterBars() {
        for (length, count) in [("1d", 1), ("390m", 1), ("389m", 0)] {
            let problems = Sample.problems(
                Sample.minimal,
                set: ["execution.window=open+30 min", "backtest.data.bar_size=\(length)"])
            #expect(problems.count == count, "\(length)")
        }
    }

    @Test(arguments: ["23:45", "24:00-01:00", "1:00-2:00", "10:60-11:00", "10:00-10:00", "a-b"])
    func otherMaintenanceIsRefused(text: String) {
        let problems = Sample.problems(Sample.minimal, set: ["execution.maintenance=['\(text)']"])
        #expect(problems.count == 1)
    }

    @Test func repricingHasItsNumber() throws {
        let settings = try Sample.settings(Sample.minimal, set: ["execution.on_timeout=reprice"])
        #expect(settings.execution.onTimeout == .reprice(timesMax: 3))
        let problems = Sample.problems(Sample.minimal, set: ["execution.reprice_max=2"])
        #expect(problems.count == 1)
    }
}
