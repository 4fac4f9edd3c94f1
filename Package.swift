// swift-tools-version: 6.2
import PackageDescription

// Targets stand in dependency order: an import never points back up this list.
// Only one target sees each C library; everything else speaks Swift.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Pictures are looked at pixel by pixel, which takes tests of the engine a fifth of their time otherwise.
let optimised: [SwiftSetting] = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "galley",
  products: [
    .executable(name: "galley", targets: ["galley"]),
    .executable(name: "galley-worker", targets: ["galley-worker"]),
    .library(name: "GalleyWebExtension", type: .dynamic, targets: ["GalleyWebExtension"]),
    .library(name: "GalleyClock", type: .dynamic, targets: ["GalleyClock"]),
    .library(name: "GalleyGuard", type: .dynamic, targets: ["GalleyGuard"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: ["FullFoundation"]),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    .package(url: "https://github.com/CoreOffice/XMLCoder", from: "0.18.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.0"),
  ],
  targets: [
    // System libraries, found by pkg-config.
    .systemLibrary(
      name: "CWebKitGTK", pkgConfig: "webkit2gtk-4.1", providers: [.apt(["libwebkit2gtk-4.1-dev", "libgtk-3-dev"])]),
    .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CGcrypt", pkgConfig: "libgcrypt", providers: [.apt(["libgcrypt20-dev"])]),
    .systemLibrary(name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
    .systemLibrary(name: "CSpng", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(
      name: "CWebExtension", pkgConfig: "webkit2gtk-web-extension-4.1", providers: [.apt(["libwebkit2gtk-4.1-dev"])]),

    // What every room may use: numbers from outside, the system's files, texts for terminals. Imports nothing of ours.
    .target(name: "Core", swiftSettings: settings),

    // What bytes are known by.
    .target(name: "Digests", dependencies: ["CGcrypt"], swiftSettings: settings),

    // Pure values: pixels, the protocol, the ad manager, the device.
    .target(name: "Pixels", dependencies: ["Core", "CDeflate", "CSpng", "CZlib"], swiftSettings: optimised),
    .target(
      name: "MRAID", dependencies: ["Core"],
      resources: [
        .embedInCode("Bridge/bridge.js"), .embedInCode("Bridge/link.js"), .embedInCode("Containers/Profiles"),
      ],
      swiftSettings: settings),
    .target(name: "VAST", dependencies: ["Core"], swiftSettings: settings),
    .target(name: "OpenRTB", dependencies: ["Core", "MRAID"], swiftSettings: settings),
    .target(name: "AdExperience", dependencies: ["Core", "MRAID", "OpenRTB", "VAST"], swiftSettings: settings),
    .target(
      name: "Stage", dependencies: ["Core", "Pixels", "AdExperience", "MRAID"],
      resources: [.embedInCode("Devices/devices.json")], swiftSettings: settings),

    // What goes into a render and what comes out; how two outcomes compare; how a creative is opened.
    .target(
      name: "Jobs", dependencies: ["Core", "MRAID", "Stage", .product(name: "Yams", package: "Yams")],
      swiftSettings: settings),
    // The app's feed around the ads: content model, rules, posts, cells; pure.
    .target(
      name: "Feed", dependencies: ["Core", "AdExperience", "Jobs", "MRAID"], resources: [.embedInCode("Page/feed.css")],
      swiftSettings: settings),
    .target(
      name: "Comparison", dependencies: ["Core", "Jobs", "MRAID", "Pixels", "Digests"],
      resources: [.embedInCode("Pages/Assets")], swiftSettings: settings),
    .target(
      name: "Bundles",
      dependencies: ["Core", "Jobs", "MRAID", "OpenRTB", "CZip", "Digests"],
      swiftSettings: settings),

    // What of the machine shows in pictures, and pictures kept to compare others with.
    .target(
      name: "Machine", dependencies: ["CFontconfig"], resources: [.embedInCode("Fonts/fonts.conf")],
      swiftSettings: settings),
    .target(
      name: "Baselines",
      dependencies: [
        "Bundles", "Comparison", "Core", "Jobs", "MRAID", "Pixels", "Stage", "Digests",
      ], swiftSettings: settings),

    // What the creatives of Creatives/conformance say about the container.
    .target(name: "Conformance", dependencies: ["Bundles", "Core", "Jobs"], swiftSettings: settings),

    // The way out to the network: which addresses may be spoken to, and a proxy that speaks to no others.
    .target(
      name: "Egress",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: settings),

    // The engine, and one render from start to finish.
    // WebKit loads it into its web processes, inside the sandbox, where no Swift runtime is to be had.
    .target(
      name: "GalleyWebExtension", dependencies: ["CWebExtension"],
      linkerSettings: [.unsafeFlags(["-nostartfiles", "-static-stdlib", "-Xlinker", "--as-needed"])]),
    // Loaded ahead of the C library into the web processes, to be their clock; and the worker's side of it.
    .target(name: "CClock"),
    .target(
      name: "GalleyClock", cSettings: [.headerSearchPath("../CClock/include")],
      linkerSettings: [.unsafeFlags(["-nostartfiles", "-static-stdlib", "-Xlinker", "--as-needed"])]),
    // Loaded likewise, to shut the network process off from the machine's files.
    .target(
      name: "GalleyGuard",
      linkerSettings: [.unsafeFlags(["-nostartfiles", "-static-stdlib", "-Xlinker", "--as-needed"])]),
    .target(
      name: "WebKitRuntime", dependencies: ["Core", "CClock", "CWebKitGTK", "Machine", "Pixels"],
      swiftSettings: settings),
    .target(
      name: "Rendering",
      dependencies: [
        "Core", "WebKitRuntime", "Bundles", "Feed", "Egress", "Jobs", "Stage", "AdExperience", "MRAID", "OpenRTB",
        "VAST", "Pixels",
      ],
      resources: [.embedInCode("Scripts")], swiftSettings: settings),

    // Finding a way through a creative: results of renders in, further renders out.
    .target(name: "Exploration", dependencies: ["Core", "Jobs", "MRAID"], swiftSettings: settings),

    // Judging what a render found, and telling it: one file per format.
    .target(
      name: "Checks", dependencies: ["Core", "Exploration", "Jobs", "MRAID"],
      resources: [.embedInCode("Profiles/Networks")], swiftSettings: settings),
    .target(
      name: "Reports",
      dependencies: [
        "Core", "Checks", "Jobs", "MRAID", "Pixels", "Digests",
        .product(name: "XMLCoder", package: "XMLCoder"),
      ], resources: [.embedInCode("HTML/Page")], swiftSettings: settings),

    // Processes, and the commands.
    .target(
      name: "Workers",
      dependencies: [
        "Core", "Jobs", "MRAID", "Stage", .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: settings),
    // What is asked for, turned into jobs, and what came of them, into evidence; whoever asks.
    .target(
      name: "Planning",
      dependencies: [
        "Core", "Workers", "Checks", "Exploration", "Baselines", "Machine", "Bundles", "Comparison", "Feed", "Jobs",
        "Stage", "MRAID", "Pixels",
      ], swiftSettings: settings),
    .target(
      name: "ServiceStore",
      dependencies: [
        "Core", "Jobs", "Digests", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: settings),
    .target(
      name: "Service",
      dependencies: [
        "Core", "ServiceStore", "Planning", "Workers", "Reports", "Checks", "Exploration", "Baselines", "Bundles",
        "Comparison", "Egress", "Jobs", "Stage", "MRAID", "Pixels", "Digests",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"), .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      resources: [
        .embedInCode("Documents/openapi.json"), .embedInCode("Pages/Templates"), .embedInCode("Pages/Assets"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "galley",
      dependencies: [
        "Core", "Service", "Planning", "Workers", "Reports", "Checks", "Conformance", "Exploration", "Baselines",
        "Machine", "Bundles", "Comparison", "Egress", "Feed", "Jobs", "Stage", "MRAID", "Pixels",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Rainbow", package: "Rainbow"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "galley-worker", dependencies: ["Rendering", "Jobs", "WebKitRuntime"], swiftSettings: settings),

    // Tests in tiers, cheapest first: values, fixtures, a session against fakes, live WebKit, the built program.
    .testTarget(name: "CoreTests", dependencies: ["Core"], swiftSettings: settings),
    .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: settings),
    .testTarget(name: "PixelsTests", dependencies: ["Pixels", "CSpng", "CDeflate"], swiftSettings: settings),
    .testTarget(
      name: "EgressTests",
      dependencies: [
        "Egress", .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
      ], swiftSettings: settings),
    .testTarget(name: "MRAIDTests", dependencies: ["MRAID"], swiftSettings: settings),
    .testTarget(name: "VASTTests", dependencies: ["VAST"], swiftSettings: settings),
    .testTarget(name: "OpenRTBTests", dependencies: ["MRAID", "OpenRTB"], swiftSettings: settings),
    .testTarget(
      name: "AdExperienceTests", dependencies: ["AdExperience", "MRAID", "OpenRTB", "VAST"], swiftSettings: settings),
    .testTarget(
      name: "StageTests", dependencies: ["Stage", "Pixels", "AdExperience", "MRAID"], swiftSettings: settings),
    .testTarget(name: "FeedTests", dependencies: ["Feed", "AdExperience", "Jobs", "MRAID"], swiftSettings: settings),
    .testTarget(
      name: "JobsTests",
      dependencies: [
        "Baselines", "Checks", "Comparison", "Exploration", "Jobs", "MRAID", "Pixels", "Stage",
        .product(name: "Yams", package: "Yams"),
      ], swiftSettings: settings),
    .testTarget(
      name: "ComparisonTests",
      dependencies: ["Comparison", "Jobs", "MRAID", "Pixels", "Digests"],
      swiftSettings: settings),
    .testTarget(
      name: "BaselinesTests", dependencies: ["Baselines", "Comparison", "Jobs", "MRAID", "Pixels", "Stage"],
      swiftSettings: settings),
    .testTarget(
      name: "ConformanceTests", dependencies: ["Conformance", "Bundles", "Jobs", "MRAID"], swiftSettings: settings),
    .testTarget(name: "BundlesTests", dependencies: ["Bundles", "Jobs", "MRAID", "CZip"], swiftSettings: settings),
    .testTarget(name: "ExplorationTests", dependencies: ["Core", "Exploration", "Jobs", "MRAID"], swiftSettings: settings),
    .testTarget(
      name: "ChecksTests", dependencies: ["Checks", "Exploration", "Jobs", "MRAID", "Stage"], swiftSettings: settings),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Reports", "Checks", "Jobs", "MRAID", "Pixels", "Stage", "Digests",
      ], swiftSettings: settings),
    .testTarget(
      name: "WorkersTests",
      dependencies: ["Workers", "Jobs", "MRAID", "Stage", .product(name: "Subprocess", package: "swift-subprocess")],
      swiftSettings: settings),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Core", "Service", "ServiceStore", "Planning", "Workers", "Egress", "Jobs", "MRAID", "Stage",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: settings),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Core", "galley", "Planning", "Baselines", "Checks", "Comparison", "Conformance", "Workers", "Jobs", "MRAID",
        "Stage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ], swiftSettings: settings),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "Core", "Rendering", "WebKitRuntime", "Checks", "Bundles", "Jobs", "Stage", "AdExperience", "MRAID", "Pixels",
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ProgramTests", dependencies: ["Core", "galley", "galley-worker", "Jobs", "MRAID", "Pixels"],
      swiftSettings: settings),
  ]
)
