// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Cutroom",
  products: [
    .library(name: "Cutroom", targets: ["Cutroom"]),
    .executable(name: "cutroom", targets: ["cutroom-cli"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibAV",
      pkgConfig: "libavformat libavcodec libavfilter libavutil libswresample libswscale libass",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libavutil-dev",
          "libswresample-dev", "libswscale-dev", "libass-dev",
        ])
      ]
    ),
    .target(
      name: "CTagLib",
      linkerSettings: [.linkedLibrary("tag"), .linkedLibrary("z")]
    ),
    .target(
      name: "CutroomModel",
      swiftSettings: strict,
      linkerSettings: [.linkedLibrary("m")]
    ),
    .target(name: "CutroomMetadata", dependencies: ["CutroomModel"], swiftSettings: strict),
    .target(name: "CutroomMedia", dependencies: ["CLibAV", "CTagLib"], swiftSettings: strict),
    .target(
      name: "Cutroom",
      dependencies: ["CutroomModel", "CutroomMetadata", "CutroomMedia"],
      swiftSettings: strict
    ),
    .executableTarget(name: "cutroom-cli", dependencies: ["Cutroom"], swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: ["Cutroom"],
      path: "Tests/Support",
      swiftSettings: strict
    ),
    .testTarget(
      name: "ModelTests",
      dependencies: ["CutroomModel", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "MetadataTests",
      dependencies: ["Cutroom", "CutroomMetadata", "CutroomModel", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "MediaTests",
      dependencies: ["CutroomMedia", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "EngineTests",
      dependencies: ["Cutroom", "CutroomModel", "CutroomMetadata", "CutroomMedia", "TestSupport"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CLITests",
      dependencies: ["cutroom-cli", "Cutroom", "TestSupport"],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
