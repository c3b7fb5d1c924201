package import Primitives

/// Something that goes wrong, with its parameters. As text it is one JSON object whose `do` names it:
/// `{"do":"drop","client":1}`.
package enum FaultAction: Hashable, Sendable {
    // Links.
    /// Bytes are held.
    case stall(StallFault)
    /// Bytes are late.
    case delay(DelayFault)
    /// Few bytes pass at a time.
    case throttle(ThrottleFault)
    /// Connections break in the middle.
    case cut(CutFault)
    /// Connections break.
    case drop(DropFault)
    /// All is well again.
    case heal(HealFault)
    // Messages.
    /// Messages are lost.
    case dropMessages(DropMessagesFault)
    /// Nothing is published about orders.
    case mute(MuteFault)
    /// Messages are late.
    case delayMessages(DelayMessagesFault)
    /// Held messages come.
    case release(ReleaseFault)
    /// Messages come more than once.
    case duplicate(RepeatFault)
    /// Requests are refused.
    case refuse(RefuseFault)
    /// Data are wrong.
    case distort(DistortFault)
    /// Order numbers go back.
    case rollBack(RollBackFault)
    // Session.
    /// The port is closed.
    case closePort(ClosePortFault)
    /// The port is open.
    case openPort(OpenPortFault)
    /// The gateway restarts.
    case restart(RestartFault)
    /// The login is missing.
    case login(LoginFault)
    /// A client's number is held.
    case reserveClient(ReserveClientFault)
    /// No orders are taken.
    case readOnly(ReadOnlyFault)
    /// Other accounts are reported.
    case accounts(AccountsFault)
    /// The gateway's clock is another.
    case clock(ClockFault)
    // The wire.
    /// A code is reported.
    case code(CodeFault)
    /// The broker is lost.
    case loseLink(LoseLinkFault)
    /// The broker is found.
    case restoreLink(RestoreLinkFault)
    /// A farm changes.
    case farm(FarmFault)
    /// What is no message is sent.
    case frame(FrameFault)
    // Orders at the broker.
    /// Somebody else orders.
    case order(OrderFault)
    /// Somebody else trades.
    case trade(TradeFault)
    /// The broker fills orders.
    case fill(FillFault)
    /// The broker cancels orders.
    case cancel(CancelFault)
    /// A fill is corrected.
    case correct(CorrectFault)
    /// A fill is taken back.
    case bust(BustFault)
    /// Orders are refused for their margin.
    case margin(MarginFault)
    /// Shares are hard to borrow.
    case borrow(BorrowFault)
    /// Changes become second orders.
    case doubleChanges(DoubleChangeFault)
    // Accounts, market and data.
    /// Shares are split.
    case split(SplitFault)
    /// Money comes or goes.
    case cash(CashFault)
    /// A dividend is paid.
    case dividend(DividendFault)
    /// Trading is halted.
    case halt(HaltFault)
    /// Data stop.
    case freeze(FreezeFault)
    /// Subscriptions die.
    case streams(StreamsFault)
    /// Other data may be seen.
    case access(AccessFault)
    /// Asking too fast is punished.
    case pacing(PacingFault)

    /// Reads an action.
    ///
    /// - Parameter members: the members of its JSON object but `do`.
    package init(named name: String, _ members: [JSONValue.Member]) throws(FaultRefusal) {
        guard let kind = Self.kinds.first(where: { $0.name == name }) else {
            throw FaultRefusal(
                "there is no command '\(name)'; {\"do\":\"list\"} tells what there is")
        }
        self = try kind.read(members)
    }

    /// The action as a JSON object.
    package var json: JSONValue { .object(record.members) }

    /// A kind of action.
    package struct Kind: Sendable {
        /// Its name.
        package let name: String
        /// What it does.
        package let purpose: String
        /// Its parameters.
        package let parameters: [ParameterList.Parameter]
        fileprivate let read: @Sendable ([JSONValue.Member]) throws(FaultRefusal) -> FaultAction

        fileprivate init<Record: FaultRecord>(
            _ type: Record.Type, _ make: @escaping @Sendable (Record) -> FaultAction
        ) {
            name = Record.name
            purpose = Record.purpose
            var list = ParameterList(writing: Record.name)
            var usual = Record()
            usual.parameters(&list)
            parameters = list.described
            read = { (members) throws(FaultRefusal) in make(try Record(reading: members)) }
        }
    }

    /// Every kind, in the order in which they are listed for people.
    package static let kinds: [Kind] = [
        Kind(DropFault.self) { .drop($0) }, Kind(StallFault.self) { .stall($0) },
        Kind(DelayFault.self) { .delay($0) }, Kind(ThrottleFault.self) { .throttle($0) },
        Kind(CutFault.self) { .cut($0) }, Kind(DropMessagesFault.self) { .dropMessages($0) },
        Kind(MuteFault.self) { .mute($0) }, Kind(DelayMessagesFault.self) { .delayMessages($0) },
        Kind(ReleaseFault.self) { .release($0) }, Kind(RepeatFault.self) { .duplicate($0) },
        Kind(RefuseFault.self) { .refuse($0) }, Kind(DistortFault.self) { .distort($0) },
        Kind(RollBackFault.self) { .rollBack($0) }, Kind(ClosePortFault.self) { .closePort($0) },
        Kind(OpenPortFault.self) { .openPort($0) }, Kind(RestartFault.self) { .restart($0) },
        Kind(LoginFault.self) { .login($0) }, Kind(ReserveClientFault.self) { .reserveClient($0) },
        Kind(ReadOnlyFault.self) { .readOnly($0) }, Kind(AccountsFault.self) { .accounts($0) },
        Kind(ClockFault.self) { .clock($0) }, Kind(CodeFault.self) { .code($0) },
        Kind(LoseLinkFault.self) { .loseLink($0) },
        Kind(RestoreLinkFault.self) { .restoreLink($0) }, Kind(FarmFault.self) { .farm($0) },
        Kind(FrameFault.self) { .frame($0) },
        Kind(OrderFault.self) { .order($0) },
        Kind(TradeFault.self) { .trade($0) },
        Kind(FillFault.self) { .fill($0) },
        Kind(CancelFault.self) { .cancel($0) },
        Kind(CorrectFault.self) { .correct($0) },
        Kind(BustFault.self) { .bust($0) },
        Kind(MarginFault.self) { .margin($0) },
        Kind(BorrowFault.self) { .borrow($0) },
        Kind(DoubleChangeFault.self) { .doubleChanges($0) },
        Kind(SplitFault.self) { .split($0) },
        Kind(CashFault.self) { .cash($0) },
        Kind(DividendFault.self) { .dividend($0) },
        Kind(HaltFault.self) { .halt($0) },
        Kind(FreezeFault.self) { .freeze($0) },
        Kind(StreamsFault.self) { .streams($0) },
        Kind(AccessFault.self) { .access($0) },
        Kind(PacingFault.self) { .pacing($0) },
        Kind(HealFault.self) { .heal($0) },
    ]

    private var record: any FaultRecord {
        switch self {
        case .stall(let record): record
        case .delay(let record): record
        case .throttle(let record): record
        case .cut(let record): record
        case .drop(let record): record
        case .heal(let record): record
        case .dropMessages(let record): record
        case .mute(let record): record
        case .delayMessages(let record): record
        case .release(let record): record
        case .duplicate(let record): record
        case .refuse(let record): record
        case .distort(let record): record
        case .rollBack(let record): record
        case .closePort(let record): record
        case .openPort(let record): record
        case .restart(let record): record
        case .login(let record): record
        case .reserveClient(let record): record
        case .readOnly(let record): record
        case .accounts(let record): record
        case .clock(let record): record
        case .code(let record): record
        case .loseLink(let record): record
        case .restoreLink(let record): record
        case .farm(let record): record
        case .frame(let record): record
        case .order(let record): record
        case .trade(let record): record
        case .fill(let record): record
        case .cancel(let record): record
        case .correct(let record): record
        case .bust(let record): record
        case .margin(let record): record
        case .borrow(let record): record
        case .doubleChanges(let record): record
        case .split(let record): record
        case .cash(let record): record
        case .dividend(let record): record
        case .halt(let record): record
        case .freeze(let record): record
        case .streams(let record): record
        case .access(let record): record
        case .pacing(let record): record
        }
    }
}
