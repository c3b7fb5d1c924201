import TWSProtocol
import Testing

/// Session, errors, clocks, authentication.
@Suite struct SessionMessagesTests {
    @Test func requestsSurviveTheWire() throws {
        try expectRoundTrips(of: StartApi.self, from: .client)
        try expectRoundTrips(of: ReqManagedAccts.self, from: .client)
        try expectRoundTrips(of: ReqCurrentTime.self, from: .client)
        try expectRoundTrips(of: ReqCurrentTimeInMillis.self, from: .client)
        try expectRoundTrips(of: SetServerLogLevel.self, from: .client)
        try expectRoundTrips(of: ReqUserInfo.self, from: .client)
        try expectRoundTrips(of: VerifyRequest.self, from: .client)
        try expectRoundTrips(of: VerifyMessage.self, from: .client)
        try expectRoundTrips(of: VerifyAndAuthRequest.self, from: .client)
        try expectRoundTrips(of: VerifyAndAuthMessage.self, from: .client)
    }

    @Test func answersSurviveTheWire() throws {
        try expectRoundTrips(of: ManagedAccounts.self, from: .gateway)
        try expectRoundTrips(of: ErrorMessage.self, from: .gateway)
        try expectRoundTrips(of: CurrentTime.self, from: .gateway)
        try expectRoundTrips(of: CurrentTimeInMillis.self, from: .gateway)
        try expectRoundTrips(of: UserInfo.self, from: .gateway)
        try expectRoundTrips(of: VerifyMessageApi.self, from: .gateway)
        try expectRoundTrips(of: VerifyCompleted.self, from: .gateway)
        try expectRoundTrips(of: VerifyAndAuthMessageApi.self, from: .gateway)
        try expectRoundTrips(of: VerifyAndAuthCompleted.self, from: .gateway)
    }

    @Test func requestsHaveTheFieldsOfTheReference() throws {
        var start = StartApi()
        start.clientId = 7
        start.optionalCapabilities = "abc"
        #expect(fields(try start.text(at: .oldest, from: .client)) == "2|7|abc")
        #expect(fields(try ReqManagedAccts().text(at: .newest, from: .client)) == "1")
        #expect(fields(try ReqCurrentTime().text(at: .newest, from: .client)) == "1")
        #expect(try ReqCurrentTimeInMillis().text(at: .newest, from: .client).isEmpty)
        var level = SetServerLogLevel()
        level.logLevel = .detail
        #expect(fields(try level.text(at: .newest, from: .client)) == "1|5")
        var user = ReqUserInfo()
        user.reqId = 9
        #expect(fields(try user.text(at: .newest, from: .client)) == "9")
    }

    @Test func authenticationHasTheFieldsOfTheReference() throws {
        var request = VerifyAndAuthRequest()
        request.apiName = "name"
        request.apiVersion = "2.0"
        request.opaqueIsvKey = "key"
        #expect(fields(try request.text(at: .newest, from: .client)) == "1|name|2.0|key")
        var message = VerifyAndAuthMessage()
        message.apiData = "data"
        message.xyzResponse = "response"
        #expect(fields(try message.text(at: .newest, from: .client)) == "1|data|response")
        var completed = VerifyCompleted()
        completed.isSuccessful = .succeeded
        #expect(fields(try completed.text(at: .newest, from: .gateway)) == "1|true|")
        completed.isSuccessful = .failed
        completed.errorText = "no"
        #expect(fields(try completed.text(at: .newest, from: .gateway)) == "1|false|no")
    }

    /// Its version goes when the time comes; the reason as JSON lies between.
    @Test func errorChangesItsLayoutThreeTimes() throws {
        var error = ErrorMessage()
        error.id = 41
        error.errorCode = 201
        error.errorString = "Order rejected: é"
        error.advancedOrderRejectJson = "{}"
        error.errorTime = 1_700_000_000_123
        let layouts = [
            (157, "2|41|201|Order rejected: \\u00e9"), (165, "2|41|201|Order rejected: \\u00e9"),
            (166, "2|41|201|Order rejected: \\u00e9|{}"),
            (193, "2|41|201|Order rejected: \\u00e9|{}"),
            (194, "41|201|Order rejected: \\u00e9|{}|1700000000123"),
            (200, "41|201|Order rejected: \\u00e9|{}|1700000000123"),
        ]
        for (number, layout) in layouts {
            let version = try #require(ServerVersion(number))
            #expect(fields(try error.text(at: version, from: .gateway)) == layout, "\(number)")
        }
    }

    @Test func errorOfNoRequestHasNoId() throws {
        let read = try read(ErrorMessage.self, "2|-1|2104|Market data farm connection is OK|")
        #expect(read.id == nil)
        #expect(read.errorCode == 2_104)
        #expect(fields(try read.text(at: .newest, from: .gateway)).hasPrefix("-1|2104|"))
    }

    @Test func accountListMayEndWithAComma() throws {
        let read = try read(ManagedAccounts.self, "1|DU1234567,DU7654321,")
        #expect(read.accountsList == ["DU1234567", "DU7654321"])
    }

    @Test(arguments: ["true", "True", "TRUE"])
    func successIsAWordOfAnyCase(word: String) throws {
        #expect(try read(VerifyCompleted.self, "1|\(word)|").isSuccessful == .succeeded)
        let other = try read(VerifyAndAuthCompleted.self, "1|perhaps|")
        #expect(other.isSuccessful == .unknown("perhaps"))
    }

    private func read<R: FieldRecord>(_ type: R.Type, _ text: String) throws -> R {
        try payload(text).withUnsafeBufferPointer {
            try R.read($0, at: try #require(ServerVersion(178))).record
        }
    }
}
