import Primitives
import TWSProtocol

/// What clients ask besides contracts, prices, orders and accounts.
extension Gateway {
    /// Answers a request about scans, news, announcements or groups of windows.
    func handleReference(_ message: ClientMessage, from client: Client) {
        switch message {
        case .reqScannerParameters:
            var parameters = ScannerParameters()
            parameters.xml = Scanner.parameters
            answers.send(.scannerParameters(parameters), to: client.connection)
        case .reqScannerSubscription(let request): scan(request, for: client)
        case .cancelScannerSubscription(let request): endScan(request.reqId, of: client)
        case .reqNewsProviders, .reqHistoricalNews, .reqNewsArticle, .reqNewsBulletins,
            .cancelNewsBulletins:
            handleNews(message, from: client)
        case .reqSoftDollarTiers(let request):
            var tiers = SoftDollarTiers()
            tiers.reqId = request.reqId
            answers.send(.softDollarTiers(tiers), to: client.connection)
        case .queryDisplayGroups, .subscribeToGroupEvents, .updateDisplayGroup,
            .unsubscribeFromGroupEvents:
            handleGroups(message, from: client)
        case .reqWshMetaData(let request): refuse(.newsFeed, about: request.reqId, to: client)
        case .reqWshEventData(let request): refuse(.newsFeed, about: request.reqId, to: client)
        // What was refused is not there to be ended.
        case .cancelWshMetaData, .cancelWshEventData: break
        default: break
        }
    }

    /// What time brings: answers that waited, new rows of scans, announcements.
    func passReference() {
        reference.answerSearches(at: now, in: contracts, &answers)
        reference.bulletins.pass(to: now, settings.calendar, &answers)
        for index in reference.scans.indices where reference.scans[index].due <= now {
            reference.scans[index].due = now + Scan.pause
            publishScan(at: index)
        }
    }

    private func handleGroups(_ message: ClientMessage, from client: Client) {
        switch message {
        case .queryDisplayGroups(let request):
            var list = DisplayGroupList()
            list.reqId = request.reqId
            list.groups = DisplayGroups.list
            answers.send(.displayGroupList(list), to: client.connection)
        case .subscribeToGroupEvents(let request):
            do throws(ContractRefusal) {
                try reference.groups.subscribe(request, by: client, &answers)
            } catch { refuse(error, about: request.reqId, to: client) }
        case .updateDisplayGroup(let request):
            do throws(ContractRefusal) {
                try reference.groups.update(request, by: client, &answers)
            } catch { refuse(error, about: request.reqId, to: client) }
        case .unsubscribeFromGroupEvents(let request):
            reference.groups.unsubscribe(request.reqId, by: client)
        default: break
        }
    }

    private func scan(_ request: ReqScannerSubscription, for client: Client) {
        let own = reference.scans.filter { $0.client.connection == client.connection }
        do throws(ContractRefusal) {
            guard !own.contains(where: { $0.request.reqId == request.reqId }) else {
                throw ContractRefusal(
                    code: 385, text: "Duplicate ticker ID for API scanner subscription.")
            }
            guard own.count < Scan.scansMax else {
                throw .scan("Max number of scanner subscriptions has been reached")
            }
            let code = try Scanner.code(of: request)
            reference.scans.append(
                Scan(client: client, request: request, code: code, due: now + Scan.pause))
            publishScan(at: reference.scans.count - 1)
        } catch { refuse(error, about: request.reqId, to: client) }
    }

    /// Publishes a scan's rows, if they are others than the last ones.
    private func publishScan(at index: Int) {
        let scan = reference.scans[index]
        let found = Scanner.find(scan, in: contracts, scanReading)
        let numbers = found.map(\.contract.conId)
        guard scan.published != numbers else { return }
        reference.scans[index].published = numbers
        if found.isEmpty {
            answers.report(
                165, "Historical Market Data Service query message:no items retrieved",
                about: scan.request.reqId.rawValue, to: scan.client.connection)
        }
        var data = ScannerData()
        data.reqId = scan.request.reqId
        data.rows = Scanner.rows(found)
        answers.send(.scannerData(data), to: scan.client.connection)
    }

    private func endScan(_ id: RequestID, of client: Client) {
        let count = reference.scans.count
        reference.scans.removeAll {
            $0.client.connection == client.connection && $0.request.reqId == id
        }
        let refusal =
            reference.scans.count < count
            ? ContractRefusal.scan("API scanner subscription cancelled: \(id)")
            : ContractRefusal(
                code: 365, text: "No scanner subscription found for ticker id:\(id)")
        refuse(refusal, about: id, to: client)
    }
}

extension ContractRefusal {
    /// A feed of news or events that is not subscribed to.
    static let newsFeed = ContractRefusal(code: 10276, text: "News feed is not allowed.")
}
