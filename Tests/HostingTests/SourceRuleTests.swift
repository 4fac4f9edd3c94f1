import Foundation
import Testing

@Suite("The sources of the worker")
struct SourceRuleTests {
  /// Files of a target whose text holds something, by their names.
  private func files(in target: String, holding text: String) throws -> Set<String> {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/\(target)")
    let listing = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    let sources = listing.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(!sources.isEmpty)
    return try Set(
      sources.filter { try String(contentsOf: $0, encoding: .utf8).contains(text) }.map(\.lastPathComponent))
  }

  @Test("trust an address by name in few places: the host's own pages, what the caller named, what was judged")
  func trusted() throws {
    let text = "LoadableAddress(trusted"
    #expect(try files(in: "Hosting", holding: text) == ["AddressRule.swift", "PageAddresses.swift"])
    #expect(try files(in: "Rendering", holding: text) == ["HTMLAd.swift"])
  }

  @Test("wait on the engine's thread by what a stepped clock counts")
  func waits() throws {
    #expect(try files(in: "Engine", holding: "withCheckedContinuation") == ["Wakeup.swift"])
    for target in ["Hosting", "Rendering", "WebKitRuntime"] {
      #expect(try files(in: target, holding: "withCheckedContinuation").isEmpty, "\(target)")
    }
  }
}
