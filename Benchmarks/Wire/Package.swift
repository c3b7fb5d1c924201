// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "wire-benchmark",
    dependencies: [.package(name: "martlet", path: "../..")],
    targets: [
        .executableTarget(
            name: "WireBenchmark",
            dependencies: [.product(name: "TWSProtocol", package: "martlet")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
