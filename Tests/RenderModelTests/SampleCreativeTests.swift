import Foundation
import RenderModel
import Testing

@Suite("Each sample creative")
struct SampleCreativeTests {
  /// The Creatives folder of this checkout.
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Creatives")

  /// `family/name` of every sample.
  static let samples: [String] = [
    "banner", "libraries", "interstitial", "mraid", "video", "hostile", "explore",
  ].flatMap { family in
    let names = try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(family).path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted().map { "\(family)/\($0)" }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  private func names(_ sample: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Self.root.appendingPathComponent(sample).path)
  }

  @Test("there are 73, each named in the README")
  func all() throws {
    #expect(Self.samples.count == 73)
    let readme = try text("README.md")
    for sample in Self.samples {
      let name = try #require(sample.split(separator: "/").last)
      #expect(readme.contains("| `\(name)` |"), "\(sample) isn't in the README")
    }
  }

  @Test("every kind of the ad experience has one")
  func kinds() throws {
    let table = try text("README.md").components(separatedBy: "kind by kind").last?.components(separatedBy: "\n\n")
      .first
    let rows = (table ?? "").split(separator: "\n").dropFirst(2).map {
      $0.split(separator: "`").dropFirst().first ?? ""
    }
    #expect(rows.count == 7)
    for row in rows { #expect(Self.samples.contains(String(row)), "\(row)") }
  }

  @Test("has a scenario that can be read, for the placement it expects", arguments: samples)
  func scenario(sample: String) throws {
    let file = try #require(names(sample).first { $0.hasSuffix("scenario.yaml") })
    let scenario = try ScenarioParser.parse(text("\(sample)/\(file)"), source: "\(sample)/\(file)")
    #expect(!scenario.steps.isEmpty)
    let expected = try text("\(sample)/expected.yaml")
    let kind = scenario.placement?.kind ?? .banner
    #expect(expected.contains("placement: \(kind.rawValue)\n"))
  }

  @Test("expects events of known sources and a known outcome", arguments: samples)
  func expectations(sample: String) throws {
    let lines = try text("\(sample)/expected.yaml").split(separator: "\n")
    for line in lines where line.hasPrefix("  - ") {
      #expect(EventPattern(String(line.dropFirst(4)))?.source != nil, "\(line)")
    }
    let outcome = try #require(lines.first { $0.hasPrefix("outcome: ") })
    #expect(RenderRecord.Outcome(rawValue: String(outcome.dropFirst(9))) != nil)
    let keys = Set(lines.filter { !$0.hasPrefix(" ") }.compactMap { $0.split(separator: ":").first.map(String.init) })
    let known: Set<String> = [
      "placement", "outcome", "exit", "code", "states", "screenshots", "events", "timeout", "memory",
    ]
    #expect(keys.isSubset(of: known))
    #expect(keys.isSuperset(of: ["placement", "outcome", "exit"]))
  }

  @Test(
    "names nobody's hosts but invented ones in an ad server's answer",
    arguments: samples.filter { $0.hasPrefix("video/") })
  func answers(sample: String) throws {
    let files = try names(sample).filter { $0.hasSuffix(".xml") || $0.hasSuffix(".json") }
    #expect(!files.isEmpty)
    for file in files {
      for part in try text("\(sample)/\(file)").components(separatedBy: "https://").dropFirst() {
        #expect(part.prefix { !"/\"'?<]:".contains($0) }.hasSuffix(".example"), "\(file): \(part.prefix(40))")
      }
    }
  }

  @Test(
    "asks for nothing outside its folder and names its size", arguments: samples.filter { !$0.hasPrefix("video/") })
  func selfContained(sample: String) throws {
    let pages = try names(sample).filter { $0.hasSuffix(".html") }
    #expect(!pages.isEmpty)
    for page in pages {
      let html = try text("\(sample)/\(page)")
      #expect(!html.contains("src=\"http"))
      #expect(!html.contains("url(\"http"))
      #expect(
        html.contains("name=\"ad.size\"") || ["part2.html", "shop.html"].contains(page)
          || sample == "mraid/interstitial")
      #expect(html.contains("<script src=\"mraid.js\">") || !sample.hasPrefix("mraid/"))
      for part in html.components(separatedBy: "https://").dropFirst() {
        #expect(part.prefix { !"/\"'?".contains($0) }.hasSuffix(".example"))
      }
    }
  }

  @Test("stays small", arguments: samples)
  func small(sample: String) throws {
    let folder = Self.root.appendingPathComponent(sample)
    let sizes = try names(sample).map { try Data(contentsOf: folder.appendingPathComponent($0)).count }
    #expect(sizes.reduce(0, +) < 64_000)
  }
}
