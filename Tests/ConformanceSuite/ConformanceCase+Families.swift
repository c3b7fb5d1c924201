package import Simulation

extension ConformanceCase {
    /// Every case: as a purchase and, the other way round, as a sale.
    package static let all: [ConformanceCase] = {
        let purchases =
            plain + priority + trails + triggers + times + hours + auctions + changes + groups
            + parents + brackets
        return purchases + purchases.map(\.mirrored)
    }()

    /// What the stops of the case's orders go by, where it says so.
    package var trigger: VenueRules.StopTrigger? {
        for case .submit(let order) in steps {
            if let trigger = order.trigger { return trigger }
        }
        return nil
    }

    private static func member(
        _ kind: Order.Kind, _ rule: BrokerTerms.GroupRule, shares: Int64 = 100
    ) -> Step {
        .submit(
            Order(kind) {
                $0.group = 1
                $0.rule = rule
                $0.shares = shares
            })
    }

    private static let rules: [(name: String, rule: BrokerTerms.GroupRule)] = [
        ("cancels", .cancelWithBlock), ("reduces", .reduceWithBlock),
        ("reduces without block", .reduceWithoutBlock),
    ]

    /// Groups whose orders take each other's place.
    static let groups: [ConformanceCase] =
        rules.flatMap { name, rule in
            [
                ConformanceCase(
                    "fill of one ends the other: \(name)",
                    [
                        member(.limit(99_00), rule), member(.stop(101_00), rule),
                        .price(100_00), .price(98_90),
                    ], [3: [.fill(1, 100, at: 99_00), .linked(2)]]),
                ConformanceCase(
                    "stop that fills ends the limit: \(name)",
                    [
                        member(.limit(99_00), rule), member(.stop(101_00), rule),
                        .price(100_00), .price(101_00),
                    ], [3: [.fill(2, 100, at: 101_00), .linked(1)]]),
                ConformanceCase(
                    "cancelling one leaves the other: \(name)",
                    [
                        member(.limit(99_00), rule), member(.stop(101_00), rule),
                        .price(100_00), .cancel(1), .price(101_00),
                    ], [3: [.cancelled(1)], 4: [.fill(2, 100, at: 101_00)]]),
                ConformanceCase(
                    "who comes late to a group that is filled ends: \(name)",
                    [
                        member(.limit(101_00), rule), .price(100_00),
                        member(.limit(99_00), rule),
                    ], [1: [.fill(1, 100, at: 100_00)], 2: [.linked(2)]]),
            ]
        } + [
            ConformanceCase(
                "part of one cancels the other",
                [
                    member(.limit(99_00), .cancelWithBlock),
                    member(.stop(101_00), .cancelWithBlock), .price(100_00),
                    .price(98_90, size: 30), .gap(99_50), .price(98_90),
                ],
                [
                    3: [.fill(1, 30, at: 99_00), .linked(2)], 5: [.fill(1, 70, at: 99_00)],
                ]),
            ConformanceCase(
                "part of one is missing from the other",
                [
                    member(.limit(99_00), .reduceWithBlock),
                    member(.stop(101_00), .reduceWithBlock), .price(100_00),
                    .price(98_90, size: 30), .gap(99_50), .price(101_00),
                ],
                [
                    3: [.fill(1, 30, at: 99_00)],
                    5: [.fill(2, 70, at: 101_00), .linked(1)],
                ]),
            ConformanceCase(
                "part of one is missing from the other without block",
                [
                    member(.limit(99_00), .reduceWithoutBlock),
                    member(.stop(101_00), .reduceWithoutBlock), .price(100_00),
                    .price(98_90, size: 30), .gap(99_50), .price(101_00),
                ],
                [
                    3: [.fill(1, 30, at: 99_00)],
                    5: [.fill(2, 70, at: 101_00), .linked(1)],
                ]),
            ConformanceCase(
                "who comes late loses what the group has filled",
                [
                    member(.limit(99_00), .reduceWithBlock), .price(100_00),
                    .price(98_90, size: 40), .gap(99_50), .cancel(1),
                    member(.stop(101_00), .reduceWithBlock), .price(101_00),
                ],
                [
                    2: [.fill(1, 40, at: 99_00)], 4: [.cancelled(1)],
                    6: [.fill(2, 60, at: 101_00)],
                ]),
            ConformanceCase(
                "block lets one of two fill at one price",
                [
                    member(.market, .reduceWithBlock), member(.market, .reduceWithBlock),
                    .price(100_00),
                ], [2: [.fill(1, 100, at: 100_00), .linked(2)]]),
            ConformanceCase(
                "cancelling block lets one of two fill at one price",
                [
                    member(.market, .cancelWithBlock), member(.market, .cancelWithBlock),
                    .price(100_00),
                ], [2: [.fill(1, 100, at: 100_00), .linked(2)]]),
            ConformanceCase(
                "without block both fill at one price",
                [
                    member(.market, .reduceWithoutBlock),
                    member(.market, .reduceWithoutBlock), .price(100_00),
                ], [2: [.fill(1, 100, at: 100_00), .fill(2, 100, at: 100_00)]]),
        ]

    private static func child(
        _ kind: Order.Kind, shares: Int64 = 100, group: Int? = nil,
        time: Order.Time = .goodTillCancelled
    ) -> Step {
        .submit(
            Order(kind) {
                $0.isPurchase = false
                $0.shares = shares
                $0.parent = 1
                $0.group = group
                $0.time = time
            })
    }

    /// Children, which work for what their parent has filled.
    static let parents: [ConformanceCase] = [
        ConformanceCase(
            "child waits for its parent",
            [
                .submit(Order(.limit(99_00))), child(.limit(99_50)), .price(100_00),
                .price(98_90), .price(99_60),
            ], [3: [.fill(1, 100, at: 99_00)], 4: [.fill(2, 100, at: 99_50)]]),
        ConformanceCase(
            "stop of a child waits for its parent",
            [
                .submit(Order(.limit(98_00))), child(.stop(97_50)), .price(100_00),
                .price(98_90), .price(97_90), .gap(97_00),
            ], [4: [.fill(1, 100, at: 98_00)], 5: [.fill(2, 100, at: 97_00)]]),
        ConformanceCase(
            "child may sell what its parent has bought",
            [
                .submit(Order(.limit(99_00))), child(.stop(98_00)), .price(100_00),
                .price(98_90, size: 40), .cancel(1), .gap(98_00),
            ],
            [
                3: [.fill(1, 40, at: 99_00)], 4: [.cancelled(1)],
                5: [.fill(2, 40, at: 98_00)],
            ]),
        ConformanceCase(
            "smaller child is released in proportion",
            [
                .submit(Order(.limit(99_00))), child(.stop(98_00), shares: 50),
                .price(100_00), .price(98_90, size: 40), .cancel(1), .gap(98_00),
            ],
            [
                3: [.fill(1, 40, at: 99_00)], 4: [.cancelled(1)],
                5: [.fill(2, 20, at: 98_00)],
            ]),
        ConformanceCase(
            "larger child is released in proportion",
            [
                .submit(Order(.limit(99_00))), child(.stop(98_00), shares: 150),
                .price(100_00), .price(98_90, size: 40), .cancel(1), .gap(98_00),
            ],
            [
                3: [.fill(1, 40, at: 99_00)], 4: [.cancelled(1)],
                5: [.fill(2, 60, at: 98_00)],
            ]),
        ConformanceCase(
            "child is released in whole shares",
            [
                .submit(Order(.limit(99_00))), child(.stop(98_00), shares: 33),
                .price(100_00), .price(98_90, size: 50), .cancel(1), .gap(98_00),
            ],
            [
                3: [.fill(1, 50, at: 99_00)], 4: [.cancelled(1)],
                5: [.fill(2, 16, at: 98_00)],
            ]),
        ConformanceCase(
            "child of a parent that is filled works whole",
            [
                .submit(Order(.market)), .price(100_00), child(.stop(98_00), shares: 150),
                .price(98_00),
            ], [1: [.fill(1, 100, at: 100_00)], 3: [.fill(2, 150, at: 98_00)]]),
        ConformanceCase(
            "cancelling a parent ends its child",
            [.submit(Order(.limit(99_00))), child(.stop(98_00)), .price(100_00), .cancel(1)],
            [3: [.cancelled(1), .linked(2)]]),
        ConformanceCase(
            "parent that expires ends its child",
            [
                .submit(Order(.limit(98_00))), child(.limit(105_00)), .price(100_00),
                .lastPrice(100_00),
            ], [3: [.expired(1), .linked(2)]]),
        ConformanceCase(
            "child survives its parent's session",
            [
                .submit(Order(.market)), child(.limit(105_00)), .price(100_00),
                .lastPrice(100_00), .nextOpen(100_00), .price(105_10),
            ], [2: [.fill(1, 100, at: 100_00)], 5: [.fill(2, 100, at: 105_00)]]),
        ConformanceCase(
            "cancelling a child leaves its parent",
            [
                .submit(Order(.limit(99_00))), child(.stop(98_00)), .price(100_00),
                .cancel(2), .price(98_90),
            ], [3: [.cancelled(2)], 4: [.fill(1, 100, at: 99_00)]]),
        ConformanceCase(
            "trail of a child begins with its parent",
            [
                .submit(Order(.stop(101_00))), child(.trail(2_00)), .price(100_00),
                .price(101_00), .price(104_00), .price(102_00),
            ], [3: [.fill(1, 100, at: 101_00)], 5: [.fill(2, 100, at: 102_00)]]),
    ]

    /// An entry with a stop and a target.
    static let brackets: [ConformanceCase] = [
        ConformanceCase(
            "target that fills ends the stop",
            [
                .submit(Order(.market)), child(.stop(98_00), group: 1),
                child(.limit(102_00), group: 1), .price(100_00), .price(102_10),
            ],
            [
                3: [.fill(1, 100, at: 100_00)],
                4: [.fill(3, 100, at: 102_00), .linked(2)],
            ]),
        ConformanceCase(
            "stop that fills ends the target",
            [
                .submit(Order(.market)), child(.stop(98_00), group: 1),
                child(.limit(102_00), group: 1), .price(100_00), .price(98_00),
            ],
            [
                3: [.fill(1, 100, at: 100_00)],
                4: [.fill(2, 100, at: 98_00), .linked(3)],
            ]),
        ConformanceCase(
            "part of an entry has a stop and a target for that part",
            [
                .submit(Order(.limit(99_00))), child(.stop(98_00), group: 1),
                child(.limit(101_00), group: 1), .price(100_00), .price(98_90, size: 40),
                .cancel(1), .gap(99_50), .price(101_10, size: 15), .gap(99_50), .price(98_00),
            ],
            [
                4: [.fill(1, 40, at: 99_00)], 5: [.cancelled(1)],
                7: [.fill(3, 15, at: 101_00)], 9: [.fill(2, 25, at: 98_00), .linked(3)],
            ]),
        ConformanceCase(
            "cancelling an entry ends both",
            [
                .submit(Order(.limit(99_00))), child(.stop(98_00), group: 1),
                child(.limit(101_00), group: 1), .price(100_00), .cancel(1),
            ], [4: [.cancelled(1), .linked(2), .linked(3)]]),
    ]
}
