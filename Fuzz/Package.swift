// swift-tools-version: 6.2
import PackageDescription

// Built by Scripts/fuzz.sh, which adds the fuzzer to every module.
let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "martlet", path: "..")],
    targets: [
        .executableTarget(
            name: "WireFuzzer",
            dependencies: [.product(name: "TWSProtocol", package: "martlet")],
            swiftSettings: [
                .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
                // The fuzzer brings the program's beginning along.
                .unsafeFlags(["-parse-as-library"]),
            ])
    ]
)
