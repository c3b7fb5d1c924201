// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "indicator-benchmark",
    dependencies: [.package(name: "martlet", path: "../..")],
    targets: [
        .executableTarget(
            name: "IndicatorBenchmark",
            dependencies: [.product(name: "MartletStrategy", package: "martlet")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
