// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is held to this; `Makefile` adds the dependency-import check.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A pure module. Takes no packages: the kernel cannot gain a vendor dependency by accident.
func kernel(_ name: String, uses modules: [String] = []) -> Target {
    .target(name: name, dependencies: modules.map { .byName(name: $0) }, swiftSettings: strict)
}

/// A module that touches the world or is assembled from the others, and the packages it needs for that.
func edge(_ name: String, uses modules: [String], packages: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: modules.map { .byName(name: $0) } + packages,
        swiftSettings: strict)
}

/// Tests of one module. `fixtures` are folders with files that tests read where they lie.
func tests(
    _ module: String, uses modules: [String] = [], packages: [Target.Dependency] = [],
    fixtures: [String] = []
) -> Target {
    .testTarget(
        name: module + "Tests",
        dependencies: ([module] + modules).map { .byName(name: $0) } + packages,
        exclude: fixtures, swiftSettings: strict)
}

let package = Package(
    name: "martlet",
    products: [
        .executable(name: "martlet", targets: ["martlet"]),
        .library(name: "MartletProgram", targets: ["MartletProgram"]),
        .library(name: "TWSClient", targets: ["TWSClient", "TWSProtocol", "Primitives"]),
        .library(name: "TWSProtocol", targets: ["TWSProtocol", "Primitives"]),
        .library(
            name: "MartletStrategy", targets: ["Primitives", "Model", "MarketState", "Signals"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        // Ring A: words.
        kernel("Primitives"),
        kernel("Model", uses: ["Primitives"]),
        // Ring B: the kernel.
        kernel("MarketState", uses: ["Primitives", "Model"]),
        kernel("Signals", uses: ["Primitives", "Model", "MarketState"]),
        kernel("Accounting", uses: ["Primitives", "Model"]),
        kernel("Risk", uses: ["Primitives", "Model", "MarketState", "Accounting"]),
        kernel("Orders", uses: ["Primitives", "Model", "Risk"]),
        kernel(
            "TradingEngine",
            uses: [
                "Primitives", "Model", "MarketState", "Signals", "Accounting", "Risk", "Orders",
            ]),
        kernel("Strategies", uses: ["Primitives", "Model", "MarketState", "Signals"]),
        // Ring C: edges, pure.
        kernel("Simulation", uses: ["Primitives", "Model", "MarketState"]),
        kernel("MarketSimulation", uses: ["Primitives", "Model", "MarketState"]),
        edge("TWSProtocol", uses: ["Primitives"]),
        edge("Reporting", uses: ["Primitives", "Model", "Accounting"]),
        // Ring C: edges that touch the world.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLinux"),
        edge("Catalog", uses: ["Primitives", "Model", "MarketState", "CZlib", "CLinux"]),
        edge(
            "TWSClient", uses: ["Primitives", "TWSProtocol", "CLinux"],
            packages: [
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        edge("Digests", uses: ["CCrypto"]),
        edge(
            "Journal", uses: ["Primitives", "Model", "Digests", "CZlib"],
            packages: [.product(name: "GRDB", package: "GRDB.swift")]),
        edge("TWSVenue", uses: ["Primitives", "Model", "TWSProtocol", "TWSClient"]),
        edge(
            "GatewaySimulator",
            uses: [
                "Primitives", "Model", "MarketState", "Simulation", "MarketSimulation",
                "TWSProtocol",
            ],
            packages: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        // Ring D: assembly.
        edge(
            "Configuration",
            uses: ["Primitives", "Model", "MarketState", "Signals", "Simulation"],
            packages: [.product(name: "Yams", package: "Yams")]),
        edge(
            "Runtime",
            uses: [
                "Primitives", "Model", "MarketState", "Signals", "Accounting", "Risk", "Orders",
                "TradingEngine", "Strategies", "Simulation", "MarketSimulation", "Reporting",
                "Catalog", "CLinux", "Digests", "Journal", "Configuration", "TWSProtocol",
                "TWSClient", "TWSVenue", "GatewaySimulator",
            ]),
        edge(
            "MartletProgram",
            uses: [
                "Primitives", "Reporting", "Configuration", "Runtime", "Signals", "TWSProtocol",
                "TWSClient",
            ],
            packages: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "martlet", dependencies: ["MartletProgram"], swiftSettings: strict),
        // Tests, and what they share.
        .target(
            name: "TestSupport", dependencies: ["Primitives", "Model"], path: "Tests/TestSupport",
            swiftSettings: strict),
        tests("Primitives"),
        tests("Model", uses: ["Primitives", "TestSupport"]),
        tests(
            "MarketState", uses: ["Primitives", "Model", "TestSupport"], fixtures: ["Fixtures"]),
        tests(
            "Signals", uses: ["Primitives", "Model", "MarketState", "TestSupport"],
            fixtures: ["Fixtures"]),
        tests("Accounting", uses: ["Primitives", "Model", "TestSupport"]),
        tests("Risk", uses: ["Primitives", "Model", "TestSupport"]),
        tests("Orders", uses: ["Primitives", "Model", "Risk", "TestSupport"]),
        tests(
            "TradingEngine",
            uses: [
                "Primitives", "Model", "MarketState", "Signals", "Accounting", "Risk", "Orders",
                "Simulation", "TestSupport",
            ]),
        tests(
            "Strategies", uses: ["Primitives", "Model", "MarketState", "Signals", "TestSupport"]),
        // What becomes of orders, and everything that works orders held to it.
        .target(
            name: "ConformanceSuite", dependencies: ["Primitives", "MarketState", "Simulation"],
            path: "Tests/ConformanceSuite", swiftSettings: strict),
        // The same in the words of the wire.
        .target(
            name: "ConformanceWire",
            dependencies: [
                "Primitives", "Model", "MarketState", "Simulation", "MarketSimulation",
                "TWSProtocol", "ConformanceSuite",
            ], path: "Tests/ConformanceWire", swiftSettings: strict),
        tests(
            "Simulation",
            uses: ["Primitives", "Model", "MarketState", "TestSupport", "ConformanceSuite"]),
        tests("MarketSimulation", uses: ["Primitives", "Model", "MarketState"]),
        tests("TWSProtocol", uses: ["Primitives"]),
        tests("Digests"),
        tests(
            "Journal", uses: ["Primitives", "Model", "TestSupport"],
            packages: [.product(name: "GRDB", package: "GRDB.swift")], fixtures: ["Fixtures"]),
        tests("TWSVenue", uses: ["Primitives", "Model", "TWSProtocol", "TWSClient"]),
        // Gateways in memory, and the loop that drives a client in tests.
        .target(
            name: "ClientTestSupport",
            dependencies: [
                "Primitives", "TWSProtocol", "TWSClient",
                .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/ClientTestSupport", swiftSettings: strict),
        tests(
            "TWSClient", uses: ["Primitives", "TWSProtocol", "ClientTestSupport"],
            packages: [.product(name: "Logging", package: "swift-log")]),
        // The simulated gateway on a test's clock.
        .target(
            name: "GatewayTestSupport",
            dependencies: [
                "Primitives", "TWSProtocol", "TWSClient", "GatewaySimulator", "Runtime",
                "ClientTestSupport",
            ], path: "Tests/GatewayTestSupport", swiftSettings: strict),
        // Live sessions at the simulated gateway, in one process and on one clock.
        .testTarget(
            name: "LiveSessionTests",
            dependencies: [
                "Primitives", "Model", "MarketState", "Accounting", "Configuration", "Runtime",
                "Orders", "Risk", "TradingEngine", "TWSProtocol", "TWSClient", "GatewaySimulator",
                "ClientTestSupport", "GatewayTestSupport", "Catalog", "Journal", "MarketSimulation",
                "Simulation", "Reporting", "TWSVenue", "TestSupport", "ConformanceSuite",
                "ConformanceWire",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: strict),
        // Our client against our gateway, in one process.
        .testTarget(
            name: "GatewayClientTests",
            dependencies: [
                "Primitives", "TWSProtocol", "TWSClient", "GatewaySimulator", "Runtime",
                "ClientTestSupport", "GatewayTestSupport",
            ], swiftSettings: strict),
        tests(
            "GatewaySimulator",
            uses: [
                "Primitives", "Model", "MarketState", "Simulation", "MarketSimulation",
                "TWSProtocol", "TestSupport", "ConformanceSuite", "ConformanceWire",
            ]),
        // Whole sessions for our gateway and our client; run by Scripts/fuzz.sh.
        .executableTarget(
            name: "SessionFuzzer",
            dependencies: [
                "Primitives", "MarketState", "Simulation", "TWSProtocol", "TWSClient",
                "GatewaySimulator",
                "ClientTestSupport",
            ], path: "Fuzz/Sources/SessionFuzzer", swiftSettings: strict),
        tests("Reporting", uses: ["Primitives", "Model", "Accounting"], fixtures: ["Fixtures"]),
        tests(
            "Catalog", uses: ["Primitives", "Model", "MarketState"], fixtures: ["Fixtures"]),
        tests(
            "Configuration",
            uses: ["Primitives", "Model", "MarketState", "Signals", "Simulation", "TestSupport"]),
        tests(
            "Runtime",
            uses: [
                "Primitives", "Model", "MarketState", "Signals", "Accounting", "Risk", "Strategies",
                "Simulation",
                "TradingEngine", "Reporting", "Catalog", "Configuration", "Digests",
                "TestSupport",
            ],
            fixtures: ["Fixtures"]),
        // Hold bundled strategies to a second implementation.
        .testTarget(
            name: "ReferenceTests", dependencies: ["Configuration", "Runtime"],
            path: "Tests/Reference",
            exclude: [
                "Fixtures", "README.md", "compare.py", "configs", "reference.py",
                "requirements.txt",
            ], swiftSettings: strict),
        // Run the built program.
        .testTarget(
            name: "CommandLineTests", dependencies: ["Primitives", "TWSProtocol", "martlet"],
            swiftSettings: strict),
        // Read the sources.
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ]
)
