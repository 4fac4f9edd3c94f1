internal import Foundation
internal import Testing

/// Lint of conversions from `Double` to whole numbers or durations in code that reads external data.
///
/// If a file imports `Core`, the compiler checks this: Swift's own conversions are shadowed by ones that warn, and a
/// warning is an error. So a file that converts a number without a safe label has to import it.
@Suite struct ConversionLintTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// Modules that read data of a page, a document, a request or a user's file.
  private static let rooms = [
    "AdManager", "AdResponses", "Application", "Checks", "Comparison", "Creatives", "Device", "Exploration", "Feed",
    "MRAID", "RenderModel", "Rendering", "Reports", "Service", "WebKitRuntime", "galley",
  ]

  /// Pattern of `Int(`, `UInt8.init` and the like, except those with a label that never ends the process.
  private static var conversion: Regex<AnyRegexOutput> {
    Regex(
      /\bU?Int(8|16|32|64)?(\((?!(ascii|bitPattern|exactly|clamping|truncatingIfNeeded|bigEndian|littleEndian):|\))|\.init\b)/
    )
  }
  /// Pattern of durations made of anything but a plain number.
  private static var span: Regex<AnyRegexOutput> {
    Regex(/(\bDuration|[^\w)\]?!])\.(seconds|milliseconds|microseconds|nanoseconds)\((?![0-9_.]+\)|let |of)/)
  }

  private func sources(_ room: String) throws -> [(name: String, text: String)] {
    let folder = Self.root.appending(path: "Sources/\(room)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    #expect(!names.isEmpty)
    return try names.map { ("\(room)/\($0)", try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }

  @Test(arguments: rooms)
  func `who converts numbers lets Core see it`(room: String) throws {
    for (name, text) in try sources(room) {
      let code = text.replacing(/\/\/.*/, with: "")
      guard code.contains(Self.conversion) || code.contains(Self.span) else { continue }
      #expect(code.contains("import Core\n"), "\(name) converts numbers: import Core")
    }
  }

  @Test(arguments: rooms) func `no other kind of number is used`(room: String) throws {
    for (name, text) in try sources(room) {
      #expect(!text.contains(/\b(Float|Float32|Float16|CGFloat|Float80)\(/), "\(name): numbers are Double")
    }
  }

  private static let refused = [
    "Int(x)", "Int32(x.rounded())", "UInt16(x)", "[x].map { Int($0) }", "[x].map(Int.init)", "Int64(x)", "UInt8(x)",
    "Duration.seconds(x)", "Duration.milliseconds(x)",
  ]
  private static let allowed = [
    "Int(\"1\")", "Int(UInt8(1))", "Int32(7 as Int)", "Int(exactly: x)", "Duration.seconds(5)",
    "Duration.milliseconds(2 as Int)",
  ]

  @Test func `the compiler refuses conversions where Core is imported`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "conversion-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A compiler that isn't there would refuse everything.
    for room in ["Files", "Core"] { #expect(try run(["-emit-module"] + module(room, in: folder)) == 0) }
    for expression in Self.refused { #expect(try !compiles(expression, in: folder), "\(expression)") }
    for expression in Self.allowed { #expect(try compiles(expression, in: folder), "\(expression)") }
  }

  /// Compiles a room's module, and returns the options to use it.
  private func module(_ room: String, in folder: URL) throws -> [String] {
    let sources = Self.root.appending(path: "Sources/\(room)")
    // What imports a C library can't be compiled by itself, and nothing else of the room needs it.
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path).map { sources.appending(path: $0) }
      .filter { try !String(contentsOf: $0, encoding: .utf8).contains("import CGcrypt") }.map(\.path)
    let module = folder.appending(path: "\(room).swiftmodule").path
    return ["-parse-as-library", "-module-name", room, "-I", folder.path, "-o", module] + files
  }

  /// Indicates if a file with this expression compiles beside the module, as a file of the package would.
  private func compiles(_ expression: String, in folder: URL) throws -> Bool {
    let file = folder.appending(path: "a.swift")
    let text = "import Core\nfunc f(_ x: Double) -> Any { \(expression) as Any }\n"
    try text.write(to: file, atomically: true, encoding: .utf8)
    let options = ["-warnings-as-errors", "-enable-upcoming-feature", "MemberImportVisibility", "-I", folder.path]
    return try run(["-typecheck"] + options + [file.path]) == 0
  }

  private func run(_ arguments: [String]) throws -> Int32 {
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = ["swiftc", "-swift-version", "6", "-package-name", "galley"] + arguments
    compiler.standardError = FileHandle.nullDevice
    compiler.standardOutput = FileHandle.nullDevice
    try compiler.run()
    compiler.waitUntilExit()
    return compiler.terminationStatus
  }
}
