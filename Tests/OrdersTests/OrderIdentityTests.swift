import Model
import Orders
import Primitives
import TestSupport
import Testing

@Suite struct OrderIdentityTests {
    private static let account = BrokerAccountID(index: 0)
    private static let client = BrokerClientID(number: 7)

    private static func identity(mark: Int32? = nil) -> OrderIdentity {
        OrderIdentity(
            account: account, client: client, journal: 3,
            mark: mark.map(BrokerOrderID.init(number:)))
    }

    private static func order(_ number: Int64) -> OrderID { OrderID(number: number) }

    private static func reference(_ order: Int64, journal: Int32 = 3) -> OrderReference? {
        OrderReference(journal: journal, order: OrderID(number: order))
    }

    private static func key(
        client: Int32? = 7, _ order: Int32?, permanent: Int64? = nil, reference: Int64? = nil
    ) -> BrokerOrderKey {
        BrokerOrderKey(
            account: account, client: client.map(BrokerClientID.init(number:)),
            order: order.map(BrokerOrderID.init(number:)),
            permanent: permanent.map(PermanentID.init(number:)),
            reference: reference.flatMap { self.reference($0) })
    }

    // MARK: Numbers

    @Test func numbersRiseAboveEverythingUsed() {
        var identity = Self.identity(mark: 40)
        #expect(identity.assign(to: Self.order(1)) == BrokerOrderID(number: 41))
        #expect(identity.takesNext(BrokerOrderID(number: 100)) == true)
        #expect(identity.assign(to: Self.order(2)) == BrokerOrderID(number: 100))
        // Asked for again, an order keeps its number.
        #expect(identity.assign(to: Self.order(1)) == BrokerOrderID(number: 41))
        identity.raiseMark(to: BrokerOrderID(number: 150))
        identity.raiseMark(to: BrokerOrderID(number: 120))
        #expect(identity.assign(to: Self.order(5)) == BrokerOrderID(number: 151))
    }

    @Test func lowerNextNumberKeepsTheMark() {
        var identity = Self.identity(mark: 40)
        #expect(identity.takesNext(BrokerOrderID(number: 12)) == false)
        #expect(identity.takesNext(BrokerOrderID(number: 40)) == false)
        #expect(identity.mark == BrokerOrderID(number: 40))
        #expect(identity.takesNext(BrokerOrderID(number: 41)) == true)
        #expect(identity.assign(to: Self.order(1)) == BrokerOrderID(number: 41))
    }

    /// An order of this journal that it does not have: no order gets its number again. One of another journal, or beyond
    /// what was ever counted, says nothing.
    @Test func numbersOfUnknownOrdersAreNoted() {
        var identity = Self.identity()
        _ = identity.match(Self.key(41, permanent: 900, reference: 12))
        _ = identity.match(Self.key(42, permanent: 901, reference: 7))
        #expect(identity.newestUnknown == 12)
        _ = identity.match(Self.key(43, permanent: 902, reference: 1 << 50))
        let other = BrokerOrderKey(
            account: Self.account, permanent: PermanentID(number: 903),
            reference: Self.reference(99, journal: 4))
        _ = identity.match(other)
        #expect(identity.newestUnknown == 12)
    }

    @Test func firstNumberIsOne() {
        var identity = Self.identity()
        #expect(identity.takesNext(BrokerOrderID(number: 1)) == true)
        #expect(identity.assign(to: Self.order(1)) == BrokerOrderID(number: 1))
    }

    @Test func numbersEndBeforeTheOneThatMeansNone() {
        var identity = Self.identity(mark: .max - 2)
        #expect(identity.assign(to: Self.order(1)) == .max)
        #expect(identity.assign(to: Self.order(2)) == nil)
        #expect(identity.assign(to: Self.order(3)) == nil)
    }

    // MARK: Ours

    @Test func anyNameFindsTheOrder() throws {
        var identity = Self.identity(mark: 10)
        _ = identity.assign(to: Self.order(1))
        _ = identity.assign(to: Self.order(2))
        let own = Self.order(2)
        #expect(identity.match(Self.key(12)).order == own)
        #expect(identity.match(Self.key(nil, reference: 2)).order == own)
        #expect(identity.match(Self.key(12, permanent: 900, reference: 2)).order == own)
        // From now on the permanent number is enough, as completed orders have it.
        #expect(identity.match(Self.key(client: nil, nil, permanent: 900)).order == own)
        #expect(identity.key(of: own)?.permanent == PermanentID(number: 900))
        // A message about a number alone is about our client's.
        #expect(
            identity.match(BrokerOrderKey(order: BrokerOrderID(number: 11))).order == Self.order(1))
        #expect(identity.match(Self.key(11)).contradiction == nil)
    }

    @Test func ordersOfEarlierDaysAreFoundByTheirReference() throws {
        var identity = Self.identity()
        let old = try #require(Self.reference(77, journal: 2))
        identity.enter(
            Self.order(1),
            as: BrokerOrderKey(
                account: Self.account, client: Self.client, order: BrokerOrderID(number: 500),
                reference: old))
        let reported = BrokerOrderKey(permanent: PermanentID(number: 31), reference: old)
        #expect(identity.match(reported) == identity.match(Self.key(500)))
        #expect(identity.match(reported).order == Self.order(1))
        // Its number is used.
        #expect(identity.assign(to: Self.order(2)) == BrokerOrderID(number: 501))
    }

    // MARK: Not ours

    @Test func ordersPlacedByHandNeverCollide() {
        var identity = Self.identity()
        let keys = (1...50).map { Self.key(client: 0, nil, permanent: 1_000 + $0) }
        let orders = keys.map { identity.match($0).order }
        #expect(Set(orders).count == 50)
        let areForeign = orders.allSatisfy(\.isForeign)
        #expect(areForeign)
        let repeated = keys.map { identity.match($0).order }
        #expect(repeated == orders)
    }

    @Test func ordersOfOtherClientsAreNotOurs() {
        var identity = Self.identity(mark: 10)
        _ = identity.assign(to: Self.order(1))
        // The same number at another client.
        let other = identity.match(Self.key(client: 8, 11, permanent: 5))
        #expect(other.order.isForeign && other.contradiction == nil)
        #expect(identity.match(Self.key(11, permanent: 6)).order == Self.order(1))
        #expect(identity.match(Self.key(client: 8, 11)).order == other.order)
    }

    @Test func orderWithoutAPermanentNumberIsKnownAgainWithOne() {
        var identity = Self.identity()
        let first = identity.match(Self.key(client: 8, 11)).order
        #expect(identity.match(Self.key(client: 8, 11, permanent: 5)).order == first)
        #expect(identity.match(Self.key(client: nil, nil, permanent: 5)).order == first)
    }

    @Test func reportsWithoutAnyNameAreOfOneOrder() {
        var identity = Self.identity()
        let first = identity.match(BrokerOrderKey())
        #expect(first.order.isForeign)
        #expect(identity.match(BrokerOrderKey()) == first)
    }

    // MARK: Contradictions

    @Test func secondPermanentNumberIsAnotherOrder() {
        var identity = Self.identity(mark: 10)
        _ = identity.assign(to: Self.order(1))
        #expect(identity.match(Self.key(11, permanent: 5, reference: 1)).order == Self.order(1))
        let expected = OrderIdentity.Contradiction.secondPermanentID(
            Self.order(1), known: PermanentID(number: 5), reported: PermanentID(number: 6))
        let twin = identity.match(Self.key(11, permanent: 6, reference: 1))
        #expect(twin.order == Self.order(-6))
        #expect(twin.contradiction == expected)
        // It is said whenever it is seen.
        #expect(identity.match(Self.key(11, permanent: 6, reference: 1)) == twin)
        #expect(identity.match(Self.key(nil, permanent: 5)).order == Self.order(1))
    }

    @Test func ourReferenceUnderAnotherNumberIsNotMerged() throws {
        var identity = Self.identity(mark: 10)
        _ = identity.assign(to: Self.order(1))
        let ours = try #require(identity.key(of: Self.order(1)))
        let reported = Self.key(99, permanent: 5, reference: 1)
        let match = identity.match(reported)
        #expect(match.order.isForeign)
        #expect(match.contradiction == .otherNumber(Self.order(1), known: ours, reported: reported))
        // Nothing was learned about ours.
        #expect(identity.key(of: Self.order(1))?.permanent == nil)
        #expect(identity.match(Self.key(11, permanent: 8)).order == Self.order(1))
    }

    @Test func referenceOfAnotherOrderIsReported() throws {
        var identity = Self.identity(mark: 10)
        _ = identity.assign(to: Self.order(1))
        _ = identity.assign(to: Self.order(2))
        _ = identity.match(Self.key(11, permanent: 5, reference: 1))
        let match = identity.match(Self.key(nil, permanent: 5, reference: 2))
        #expect(match.order == Self.order(1))
        let reported = try #require(Self.reference(2))
        #expect(match.contradiction == .otherReference(Self.order(1), reported: reported))
    }

    @Test func referenceThatWeDoNotKnowIsNotOurs() throws {
        var identity = Self.identity()
        let match = identity.match(Self.key(nil, permanent: 5, reference: 9))
        let reported = try #require(Self.reference(9))
        #expect(match.order.isForeign && match.contradiction == .unknownReference(reported))
        #expect(identity.match(Self.key(nil, permanent: 5, reference: 9)) == match)
        // Without a permanent number too it is one order.
        let plain = identity.match(Self.key(nil, reference: 10))
        #expect(identity.match(Self.key(nil, reference: 10)) == plain)
        #expect(plain.order != match.order)
    }

    /// Property: whatever keys come, an order of ours has one permanent number, and one number is of one
    /// order for good.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func permanentNumbersNameOneOrderForGood(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var identity = Self.identity()
        for number in 1...4 { _ = identity.assign(to: Self.order(Int64(number))) }
        var owners: [Int64: OrderID] = [:]
        for _ in 0..<60 {
            let permanent = chance.one(of: [nil, 1, 2, 3, 4, 5] as [Int64?])
            let match = identity.match(
                Self.key(
                    client: chance.one(of: [7, 7, 8, nil]), chance.one(of: [nil, 1, 2, 3, 9]),
                    permanent: permanent, reference: chance.one(of: [nil, 1, 2, 3, 9])))
            if let permanent {
                let owner = owners[permanent, default: match.order]
                #expect(owner == match.order)
                owners[permanent] = match.order
            }
        }
        for number in 1...4 as ClosedRange<Int64> {
            let known = identity.key(of: Self.order(number))?.permanent?.number
            if let known { #expect(owners[known] == Self.order(number)) }
        }
    }
}
