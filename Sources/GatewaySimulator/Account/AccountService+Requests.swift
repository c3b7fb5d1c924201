package import Primitives
package import TWSProtocol

extension AccountService {
    /// Answers a request about values, positions, profits, families or an advisor's groups; others are none
    /// of its.
    package mutating func answer(
        _ message: ClientMessage, from client: Client, at now: Timestamp, _ view: AccountView,
        into answers: inout Answers
    ) {
        let connection = client.connection
        switch message {
        case .reqAccountUpdates(let request):
            answer(request, from: client, at: now, view, into: &answers)
        case .reqAccountSummary(let request):
            answer(request, from: client, at: now, view, into: &answers)
        case .cancelAccountSummary(let request):
            summaries.removeAll { $0.connection == connection && $0.reqId == request.reqId }
        case .reqPositions: answerPositions(from: client, view, into: &answers)
        case .cancelPositions:
            positions.removeAll { $0.connection == connection && $0.reqId == nil }
        case .reqPositionsMulti(let request): answer(request, from: client, view, into: &answers)
        case .cancelPositionsMulti(let request):
            positions.removeAll { $0.connection == connection && $0.reqId == request.reqId }
        case .reqAccountUpdatesMulti(let request):
            answer(request, from: client, at: now, view, into: &answers)
        case .cancelAccountUpdatesMulti(let request):
            multiUpdates.removeAll { $0.connection == connection && $0.reqId == request.reqId }
        case .reqPnL(let request): answer(request, from: client, view, into: &answers)
        case .reqPnLSingle(let request): answer(request, from: client, view, into: &answers)
        case .cancelPnL(let request):
            cancelProfit(request.reqId, isSingle: false, from: client, into: &answers)
        case .cancelPnLSingle(let request):
            cancelProfit(request.reqId, isSingle: true, from: client, into: &answers)
        case .reqFamilyCodes: answers.send(.familyCodes(Self.noFamily), to: connection)
        case .requestFA: Self.refuseAdvice(nil, to: connection, &answers)
        case .replaceFA(let request):
            Self.refuseAdvice(request.reqId.rawValue, to: connection, &answers)
        default: break
        }
    }

    /// Accounts that belong to no family have a star's code, which is empty.
    private static var noFamily: FamilyCodes {
        var code = FamilyCode()
        code.accountID = "*"
        var codes = FamilyCodes()
        codes.familyCodes = [code]
        return codes
    }

    private static func refuseAdvice(
        _ id: Int32?, to connection: ConnectionID, _ answers: inout Answers
    ) {
        answers.report(
            321,
            "Error validating request.-'b9' : cause - FA data operations ignored for non FA "
                + "customers.", about: id, to: connection)
    }
}
