// swift-tools-version: 6.2
import PackageDescription

// Programs of a user's own: a package that depends on this one and nothing besides.
let package = Package(
    name: "examples",
    dependencies: [.package(name: "martlet", path: "..")],
    targets: [
        // What docs/client.md shows.
        .target(
            name: "Snippets", dependencies: [.product(name: "TWSClient", package: "martlet")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "quotes", dependencies: [.product(name: "TWSClient", package: "martlet")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
