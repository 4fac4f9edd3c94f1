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

// What decides, reads words, prints lines or tests isn't worth the optimiser's time: its renders and checks take as long
// without.
let plain: [SwiftSetting] = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// Relocations are packed as the loaders of Debian 12 and Ubuntu 24.04 read them: a smaller program that starts sooner.
let packed: [LinkerSetting] = [
  .unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"], .when(configuration: .release))
]
// The same without names for libraries to find; the worker answers some of its engine's calls by them.
let sealed: [LinkerSetting] =
  packed + [.unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(configuration: .release))]

let package = Package(
  name: "galley",
  products: [
    .executable(name: "galley", targets: ["galley"]),
    .executable(name: "galley-film", targets: ["galley-film"]),
    .executable(name: "galley-recorder", targets: ["galley-recorder"]),
    .executable(name: "galley-enclosure", targets: ["galley-enclosure"]),
    .executable(name: "galley-fork-client", targets: ["galley-fork-client"]),
    .executable(name: "galley-server", targets: ["galley-server"]),
    .executable(name: "galley-worker", targets: ["galley-worker"]),
    .library(name: "GalleyWebExtension", type: .dynamic, targets: ["GalleyWebExtension"]),
    .library(name: "GalleyClock", type: .dynamic, targets: ["GalleyClock"]),
    .library(name: "GalleyForkServer", type: .dynamic, targets: ["GalleyForkServer"]),
    .library(name: "GalleyGuard", type: .dynamic, targets: ["GalleyGuard"]),
  ],
  // Exact versions: the same sources give the same screenshots. A newer version is a change of its own, with its tests.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: ["FullFoundation"]),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/CoreOffice/XMLCoder", exact: "0.18.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/onevcat/Rainbow", exact: "4.2.2"),
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
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libgtk-3-dev"])]),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebpmux", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CPsl", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
    .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(
      name: "CWebExtension", pkgConfig: "webkit2gtk-web-extension-4.1", providers: [.apt(["libwebkit2gtk-4.1-dev"])]),

    // Files as the system's calls have them, without Foundation: what starts a worker is to start at once.
    .target(name: "Files", swiftSettings: settings),
    // What every room may use: JSON values, geometry, the fault, numbers from outside, the system's files, digests,
    // text.
    .target(name: "Core", dependencies: ["Files", "CGcrypt"], swiftSettings: settings),

    // Whom a request goes to: who registered its host, and who is known for tracking.
    .target(
      name: "Parties", dependencies: ["Core", "CPsl"], resources: [.embedInCode("trackers.tsv")],
      swiftSettings: settings),

    // The look of every page that people read, and a page that carries all it needs.
    .target(name: "Pages", dependencies: ["Core"], resources: [.embedInCode("Assets")], swiftSettings: settings),

    // What a worker takes that is begun before its libraries are linked: display, key map, a trial of the sandbox.
    .target(name: "CStartup"),
    .target(name: "Startup", dependencies: ["CStartup", "Files"], swiftSettings: settings),

    // Pure values: pixels, the protocol, the device, the ad manager.
    .target(name: "Pixels", dependencies: ["Files", "Core", "CDeflate", "CSpng", "CZlib"], swiftSettings: optimised),
    .target(
      name: "MRAID", dependencies: ["Core"],
      resources: [
        .embedInCode("Bridge/bridge.js"), .embedInCode("Bridge/link.js"), .embedInCode("Bridge/safeframe.js"),
        .embedInCode("Bridge/playable.js"),
        .embedInCode("Containers/Profiles"),
      ],
      swiftSettings: plain),
    .target(name: "AdResponses", dependencies: ["Core", "MRAID"], swiftSettings: plain),
    .target(
      name: "Device", dependencies: ["Core", "Pixels", "MRAID"],
      resources: [.embedInCode("Devices/devices.json")], swiftSettings: settings),
    .target(name: "AdManager", dependencies: ["Core", "MRAID", "AdResponses", "Device"], swiftSettings: plain),

    // Open Measurement as values: the app's session, what of an ad can be seen, and the service in its page.
    .target(
      name: "OMID", dependencies: ["Core", "Device", "MRAID"],
      resources: [.embedInCode("Service/omid.js")], swiftSettings: plain),

    // What goes into a render and what comes out.
    .target(
      name: "RenderModel",
      dependencies: ["Files", "Core", "Pixels", "MRAID", "Device", .product(name: "Yams", package: "Yams")],
      swiftSettings: settings),
    // The app's feed around the ads: content model, rules, posts, cells; pure.
    .target(
      name: "Feed", dependencies: ["Core", "AdManager", "RenderModel"],
      resources: [.embedInCode("Page/feed.css")], swiftSettings: plain),
    // How a creative is opened, whatever it was delivered as.
    .target(
      name: "Creatives", dependencies: ["Core", "MRAID", "RenderModel", "AdResponses", "CZip"],
      swiftSettings: settings),

    // What a creative's requests were answered with, kept to answer them again: exchanges, rules of matching, formats.
    .target(
      name: "Recordings", dependencies: ["Files", "Core", "Parties", "CBrotli", "CZip", "CZlib"],
      swiftSettings: settings),

    // What of the machine shows in screenshots; how two outcomes compare, and screenshots kept to compare others with.
    .target(
      name: "Machine", dependencies: ["CFontconfig"], resources: [.embedInCode("Fonts/fonts.conf")],
      swiftSettings: settings),
    .target(
      name: "Comparison", dependencies: ["Core", "Pages", "Creatives", "RenderModel", "Device", "MRAID", "Pixels"],
      swiftSettings: settings),

    // Sockets that no started program inherits, in C.
    .target(name: "CSockets"),
    // The way out to the network: which addresses may be spoken to, and a proxy that speaks to no others.
    .target(
      name: "NetworkProxy",
      dependencies: [
        "CSockets", "Core", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: settings),

    // Values of a browser engine, whichever it is, and the actor of its thread.
    .target(name: "Engine", dependencies: ["Pixels"], swiftSettings: settings),

    // The host's side of a page without an engine: scripts and messages, the addresses that it may load, the log, the
    // order of its events, and the waits for its requests.
    .target(
      name: "Hosting",
      dependencies: [
        "Files", "Core", "Engine", "Recordings", "RenderModel", "Device", "AdManager", "MRAID", "AdResponses", "OMID",
        "Pixels",
      ], resources: [.embedInCode("Scripts")], swiftSettings: settings),

    // Moves in a game that is drawn on a canvas, chosen by its pictures; pure.
    .target(name: "Gameplay", dependencies: ["Core", "RenderModel", "Pixels"], swiftSettings: optimised),

    // WebKit, and one render from start to finish.
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
    // Web processes forked from one that is linked: the worker's side of it, the library that makes a server of the
    // engine's program, and the program that the engine starts in a web process's place.
    .target(name: "CForkServer"),
    .target(
      name: "GalleyForkServer", cSettings: [.headerSearchPath("../CForkServer/include")],
      linkerSettings: [.unsafeFlags(["-nostartfiles", "-static-stdlib", "-Xlinker", "--as-needed"])]),
    .executableTarget(
      name: "galley-fork-client", cSettings: [.headerSearchPath("../CForkServer/include")],
      linkerSettings: [
        .unsafeFlags(["-nostartfiles", "-static-stdlib", "-Xclang-linker", "-static"])
      ]),
    .target(
      name: "WebKitRuntime",
      dependencies: ["Files", "Core", "CClock", "CForkServer", "CWebKitGTK", "Engine", "Machine", "Pixels", "Startup"],
      swiftSettings: settings),
    // Copies of a program that has begun, which a worker's recorder is.
    .target(name: "CNursery"),
    .target(
      name: "Rendering",
      dependencies: [
        "Files", "Core", "CNursery", "Engine", "Hosting", "Machine", "WebKitRuntime", "Creatives", "Feed",
        "NetworkProxy", "Recordings", "RenderModel", "Device", "AdManager", "MRAID", "AdResponses", "OMID", "Pixels",
        "Gameplay",
      ],
      resources: [.embedInCode("Scripts")], swiftSettings: settings),

    // What of the machine a worker sees: its jobs' files and what rendering takes.
    .target(name: "CNamespaces"),
    .target(
      name: "Enclosure", dependencies: ["CNamespaces", "Files", "Machine"], swiftSettings: settings),

    // Finding a way through a creative: results of renders in, further renders out.
    .target(name: "Exploration", dependencies: ["Core", "RenderModel", "MRAID"], swiftSettings: plain),

    // Judging what a render found, and telling it: one file per format.
    .target(
      name: "Checks", dependencies: ["Core", "Exploration", "Parties", "RenderModel", "MRAID"],
      resources: [.embedInCode("Profiles/Networks"), .embedInCode("Families/chromium-differences.json")],
      swiftSettings: settings),
    .target(
      name: "Reports",
      dependencies: [
        "Core", "Pages", "Checks", "Parties", "RenderModel", "MRAID", "Pixels",
        .product(name: "XMLCoder", package: "XMLCoder"),
      ], resources: [.embedInCode("HTML/Page")], swiftSettings: plain),

    // Processes, and the commands.
    .target(
      name: "Workers",
      dependencies: [
        "Files", "Core", "RenderModel", "MRAID", "Pixels",
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: settings),
    // What commands and the server do: plans, runs over workers, and what came of them as evidence.
    .target(
      name: "Application",
      dependencies: [
        "Files", "Core", "Workers", "Reports", "Checks", "Exploration", "Comparison", "Machine", "Creatives", "Feed",
        "Parties", "Recordings", "RenderModel", "Device", "AdManager", "AdResponses", "MRAID", "Pixels",
      ], resources: [.embedInCode("Starting/CI")], swiftSettings: plain),
    // What a long-running program reports of itself, and the calls by which it does so.
    .target(
      name: "Telemetry",
      dependencies: [
        "Core", "Workers", "NetworkProxy", "RenderModel", .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"), .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ], swiftSettings: settings),
    // Renders that a server accepted, from the request to the summary, in the workers of one machine.
    .target(
      name: "Scheduling",
      dependencies: [
        "Core", "Telemetry", "Application", "Workers", "Reports", "Checks", "Exploration", "Creatives", "Comparison",
        "Recordings", "RenderModel", "Device", "MRAID", "Pixels",
      ], swiftSettings: settings),
    // The calls of libnats, which is loaded when a program connects: nothing that is installed is linked with it.
    .target(name: "CNats"),
    // Many machines: NATS and its streams, the queue in which renders wait, and the machines that render from it.
    .target(
      name: "Cluster",
      dependencies: [
        "Files", "Core", "CNats", "Scheduling", "Telemetry", "Application", "Workers", "Creatives", "Comparison",
        "Recordings", "RenderModel", "Device", .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ], swiftSettings: settings),
    .target(
      name: "Service",
      dependencies: [
        "Files", "Core", "Pages", "Cluster", "Scheduling", "Telemetry", "Application", "Workers", "Reports", "Checks",
        "Exploration", "Creatives", "Comparison", "Recordings", "RenderModel", "Device", "MRAID", "Pixels",
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      resources: [
        .embedInCode("Documents/openapi.json"), .embedInCode("Pages/Templates"), .embedInCode("Pages/Assets"),
      ], swiftSettings: settings),
    // A local page on which a person plays with one creative.
    .target(
      name: "Play",
      dependencies: [
        "Files", "Core", "Pages", "Workers", "RenderModel", "Device", "MRAID",
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ], resources: [.embedInCode("Assets")], swiftSettings: settings),
    // What people read at a terminal, and the exit code: what the programs that are called there have in common.
    .target(
      name: "Terminal",
      dependencies: [
        "Files", "Core", "Application", "Workers", "Reports", "Checks", "Exploration", "Comparison", "Parties",
        "RenderModel", "Device", "MRAID", "Pixels", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Rainbow", package: "Rainbow"),
      ], swiftSettings: plain),
    .executableTarget(
      name: "galley",
      dependencies: [
        "Files", "Core", "Terminal", "Application", "Workers", "Reports", "Recordings", "Checks", "Exploration",
        "Creatives", "Comparison", "Parties", "RenderModel", "Device", "MRAID", "Pixels",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: plain, linkerSettings: sealed),
    .executableTarget(
      name: "galley-server",
      dependencies: [
        "Core", "Terminal", "Pages", "Service", "Play", "Cluster", "Telemetry", "Reports", "Application", "Creatives",
        "Device", "MRAID", "RenderModel", "Workers",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings, linkerSettings: sealed),
    // Stands between a creative and the network where that is recorded, replayed or slowed down. It ends and begins TLS,
    // which nobody else is linked with.
    .executableTarget(
      name: "galley-recorder",
      dependencies: [
        "CGnuTLS", "CSockets", "CNursery", "Files", "Core", "NetworkProxy", "Recordings",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ], swiftSettings: settings, linkerSettings: sealed),
    // Encodes films, pictures and pages of them; a program of its own, so that nobody else is linked with what it takes.
    .executableTarget(
      name: "galley-film", dependencies: ["Files", "Core", "Pixels", "CPango", "CTurboJPEG", "CWebP"],
      swiftSettings: optimised, linkerSettings: sealed),
    .executableTarget(
      name: "galley-enclosure", dependencies: ["Files", "Enclosure", "Startup"], swiftSettings: settings,
      linkerSettings: sealed),
    .executableTarget(
      name: "galley-worker",
      dependencies: [
        "CStartup", "Files", "Core", "Enclosure", "Rendering", "RenderModel", "Startup", "WebKitRuntime",
      ],
      swiftSettings: settings, linkerSettings: packed),

    // Tests in tiers, cheapest first: values, fixtures, a session against fakes, live WebKit, the built program.
    .testTarget(name: "FilesTests", dependencies: ["TestFolders", "Files"], swiftSettings: plain),
    .testTarget(name: "CoreTests", dependencies: ["TestFolders", "Files", "Core"], swiftSettings: plain),
    .testTarget(
      name: "PixelsTests", dependencies: ["TestFolders", "Files", "Core", "Pixels", "CSpng", "CDeflate"],
      swiftSettings: plain),
    .testTarget(
      name: "NetworkProxyTests",
      dependencies: [
        "Core", "NetworkProxy", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ], swiftSettings: plain),
    .testTarget(name: "PartiesTests", dependencies: ["Parties"], swiftSettings: plain),
    .testTarget(
      name: "RecordingsTests", dependencies: ["TestFolders", "Core", "Parties", "Recordings"], swiftSettings: plain),
    .testTarget(
      name: "RecorderTests",
      dependencies: [
        "CGnuTLS", "Core", "Recordings", "TestFolders", "galley-recorder",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
      ], swiftSettings: plain),
    .testTarget(name: "MRAIDTests", dependencies: ["Core", "MRAID"], swiftSettings: plain),
    .testTarget(name: "AdResponsesTests", dependencies: ["Core", "MRAID", "AdResponses"], swiftSettings: plain),
    .testTarget(
      name: "AdManagerTests", dependencies: ["Core", "AdManager", "MRAID", "AdResponses", "Device"],
      swiftSettings: plain),
    .testTarget(
      name: "DeviceTests", dependencies: ["Core", "Device", "Pixels", "MRAID"], swiftSettings: plain),
    .testTarget(
      name: "OMIDTests", dependencies: ["Core", "OMID", "Device", "MRAID"], swiftSettings: plain),
    .testTarget(name: "EngineTests", dependencies: ["Engine"], swiftSettings: plain),
    .testTarget(
      name: "HostingTests",
      dependencies: [
        "TestFolders", "Files", "Core", "Engine", "Hosting", "Recordings", "RenderModel", "Device", "AdManager",
        "AdResponses", "Pixels",
      ], swiftSettings: plain),
    .testTarget(
      name: "FeedTests", dependencies: ["Core", "Feed", "AdManager", "RenderModel", "MRAID"], swiftSettings: plain),
    .testTarget(
      name: "RenderModelTests",
      dependencies: [
        "TestFolders", "Files", "Core", "Checks", "Comparison", "Exploration", "RenderModel", "MRAID", "Pixels",
        "Device", .product(name: "Yams", package: "Yams"),
      ], swiftSettings: plain),
    .testTarget(
      name: "ComparisonTests",
      dependencies: ["TestFolders", "Core", "Comparison", "Creatives", "RenderModel", "MRAID", "Pixels", "Device"],
      swiftSettings: plain),
    .testTarget(
      name: "CreativesTests", dependencies: ["TestFolders", "Core", "Creatives", "RenderModel", "MRAID", "CZip"],
      swiftSettings: plain),
    .testTarget(
      name: "GameplayTests", dependencies: ["Core", "Gameplay", "RenderModel", "Pixels"], swiftSettings: plain),
    .testTarget(
      name: "ExplorationTests", dependencies: ["Core", "Exploration", "RenderModel", "MRAID"], swiftSettings: plain),
    .testTarget(
      name: "ChecksTests", dependencies: ["Core", "Checks", "Exploration", "RenderModel", "MRAID", "Device"],
      swiftSettings: plain),
    .testTarget(
      name: "ReportsTests",
      dependencies: ["Core", "Reports", "Checks", "RenderModel", "MRAID", "Pixels", "Device"], swiftSettings: plain),
    .testTarget(
      name: "WorkersTests",
      dependencies: [
        "TestFolders", "Core", "Workers", "RenderModel", "MRAID", "Device",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ], swiftSettings: plain),
    .testTarget(
      name: "ApplicationTests",
      dependencies: [
        "TestFolders", "Core", "Application", "Checks", "Comparison", "Creatives", "RenderModel", "Device", "MRAID",
        "Pixels", "Workers",
      ], swiftSettings: plain),
    // A folder of a test's own, and a real server of NATS.
    .target(name: "TestFolders", path: "Tests/TestFolders", swiftSettings: plain),
    .target(name: "NatsTestServer", dependencies: ["Core"], path: "Tests/NatsTestServer", swiftSettings: plain),
    .testTarget(
      name: "TelemetryTests",
      dependencies: [
        "Core", "Telemetry", .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: plain),
    .testTarget(
      name: "SchedulingTests",
      dependencies: ["TestFolders", "Core", "Scheduling", "Application", "Checks", "RenderModel", "MRAID"],
      swiftSettings: plain),
    .testTarget(
      name: "ClusterTests", dependencies: ["Core", "Cluster", "RenderModel", "NatsTestServer"],
      exclude: ["JetStream/Fixtures"], swiftSettings: plain),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "TestFolders", "Files", "Core", "Service", "Cluster", "Scheduling", "Telemetry", "Application", "Comparison",
        "Pixels", "Workers", "RenderModel", "MRAID", "Device", "NatsTestServer",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: plain),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "TestFolders", "Core", "galley", "galley-server", "Terminal", "Application", "Checks", "Comparison", "Workers",
        "RenderModel", "MRAID", "Device", "Pixels",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"), .product(name: "Yams", package: "Yams"),
      ], swiftSettings: plain),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "Files", "Core", "Engine", "Hosting", "Rendering", "Recordings", "Startup", "WebKitRuntime", "Checks",
        "Creatives", "RenderModel", "Device", "AdManager", "MRAID", "Pixels", .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: plain),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "Core", "galley", "galley-enclosure", "galley-film", "galley-fork-client", "galley-recorder", "galley-server",
        "galley-worker", "Cluster", "NatsTestServer", "RenderModel", "MRAID", "Device", "Pixels",
        .product(name: "Yams", package: "Yams"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: plain),
  ]
)

// For proofs nothing of the server, of films, of recording and no test is built, and the packages of these needn't be
// fetched: that is asked for by GALLEY_WITHOUT=film,recorder,server and the same with `packages`, as Scripts/lib/build.sh does. With
// `system` as well it is the Swift packages alone, which need nothing of the system's.
let without = Context.environment["GALLEY_WITHOUT"]?.split(separator: ",") ?? []
if !without.isEmpty { package.targets.removeAll { $0.isTest || $0.path?.hasPrefix("Tests/") == true } }
if without.contains("server") {
  let serving: Set = ["CNats", "Cluster", "Play", "Scheduling", "Service", "Telemetry", "galley-server"]
  package.products.removeAll { serving.contains($0.name) }
  package.targets.removeAll { serving.contains($0.name) }
}
if without.contains("film") {
  package.products.removeAll { $0.name == "galley-film" }
  package.targets.removeAll { ["galley-film", "CPango", "CTurboJPEG", "CWebP"].contains($0.name) }
}
if without.contains("recorder") {
  package.products.removeAll { $0.name == "galley-recorder" }
  package.targets.removeAll { ["galley-recorder", "CGnuTLS"].contains($0.name) }
}
if without.contains("packages") {
  let used = package.targets.flatMap(\.dependencies).compactMap { dependency in
    if case .productItem(_, let package, _, _) = dependency { package } else { nil }
  }
  package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let address, _) = dependency.kind else { return false }
    return !used.contains { address.hasSuffix("/\($0)") }
  }
}
if without.contains("system") {
  var products: [String: Target.Dependency] = [:]
  for dependency in package.targets.flatMap(\.dependencies) {
    if case .productItem(let name, _, _, _) = dependency { products[name] = dependency }
  }
  package.products = []
  package.targets = [.target(name: "CSockets", dependencies: products.sorted { $0.key < $1.key }.map(\.value))]
}
