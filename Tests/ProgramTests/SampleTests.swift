import Core
import Device
import Foundation
import MRAID
import Pixels
import RenderModel
import Testing
import Yams

extension ServerTier {
  /// Samples of `Creatives`, each rendered by the command and compared with its author's expectations.
  @Suite(.timeLimit(.minutes(4))) struct SampleTests {
    private let program: Program

    init() throws { program = try Program() }

    @Test("samples give what their authors expect")
    func expectations() async throws {
      let samples = try SampleCreative.all()
      #expect(samples.count == 73)
      for (number, group) in Dictionary(grouping: samples, by: \.options).values.enumerated() {
        let paths = group.map { "'\($0.path)'" }.joined(separator: " ")
        let outcome = try await program.shell(
          "exec \"$GALLEY\" render --json --out out-\(number) \(group[0].options) \(paths)")
        let said = try outcome.document().results
        let kept = try records(in: "\(program.folder)/out-\(number)")
        for (sample, record) in zip(group, said) {
          let (folder, own) = try #require(kept[sample.path], "\(sample.name)")
          #expect(own == record, "\(sample.name)")
          try RenderedSample(sample: sample, record: record, folder: folder).check()
        }
        #expect(said.count == group.count, "\(outcome.errors)")
      }
    }

    /// Samples for repeated renders in real time: four with a process of their own, four as trusted creatives.
    private static let repeated = [
      "process": ["mraid/expand-two-part", "mraid/click-open", "mraid/portable", "video/end-card"],
      "session": ["video/full-screen", "mraid/resize", "mraid/exposure", "banner/web-font"],
    ]

    @Test("samples give the same log twice but for times", arguments: ["process", "session"])
    func determinism(isolation: String) async throws {
      let samples = try #require(Self.repeated[isolation]).map { try SampleCreative(name: $0) }
      let paths = samples.map { "'\($0.path)'" }.joined(separator: " ")
      var logs: [[String: [Event]]] = []
      for out in ["first", "second"] {
        _ = try await program.shell(
          "exec \"$GALLEY\" render --clock real --isolation \(isolation) --out \(out) \(paths)")
        let results = try records(in: "\(program.folder)/\(out)")
        logs.append(try results.mapValues { try RenderedSample.events(in: $0.folder).map(\.timeless) })
      }
      for sample in samples {
        let (one, other) = (try #require(logs[0][sample.path]), try #require(logs[1][sample.path]))
        #expect(one.count == other.count && !one.isEmpty, "\(sample.name)")
        for (one, other) in zip(one, other) where one != other {
          Issue.record("\(sample.name): \(one) or \(other)")
          break
        }
      }
    }

    /// Returns the results in a folder: by each creative's path its own folder and the record in it.
    private func records(in folder: String) throws -> [String: (folder: String, record: RenderRecord)] {
      // Creatives of one name are in folders of their own.
      let results = try FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
        .filter { FileManager.default.fileExists(atPath: "\($0)/result.json") }
      let records = try results.map { result in
        let data = try Data(contentsOf: URL(filePath: "\(result)/result.json"))
        return (result, try JSONDecoder().decode(RenderRecord.self, from: data))
      }
      return Dictionary(records.map { ($1.creative.path, ($0, $1)) }, uniquingKeysWith: { first, _ in first })
    }
  }
}

/// Result of a sample's render.
private struct RenderedSample {
  let sample: SampleCreative
  let record: RenderRecord
  let folder: String

  func check() throws {
    let expected = sample.expected
    #expect(record.outcome == expected.outcome, "\(sample.name): \(record.message ?? "")")
    #expect(record.code == expected.code, "\(sample.name)")
    #expect(record.placement?.kind == expected.placement, "\(sample.name)")
    if let states = expected.states { #expect(record.states == states, "\(sample.name)") }
    if let count = expected.screenshots { #expect(record.screenshots.count == count, "\(sample.name)") }
    let events = try Self.events(in: folder)
    checkEvents(events)
    try checkPictures()
    checkTransitions()
  }

  static func events(in folder: String) throws -> [Event] {
    try String(contentsOfFile: "\(folder)/events.ndjson", encoding: .utf8).split(separator: "\n")
      .map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
  }

  /// Checks that the expected events occur in order, with others between, and that the log has no gap.
  private func checkEvents(_ events: [Event]) {
    let names = events.map { "\($0.source.rawValue)/\($0.name)" }
    var rest = names[...]
    for name in sample.expected.events ?? [] {
      guard let index = rest.firstIndex(of: name) else {
        Issue.record("\(sample.name): \(name) doesn't follow in \(rest.joined(separator: " "))")
        return
      }
      rest = rest[(index + 1)...]
    }
    #expect(events.map(\.seq) == Array(0..<events.count), "\(sample.name)")
    // What a page does by itself is told later than it happened, and nothing else is.
    let host = events.filter {
      ![.page, .creative, .simid].contains($0.source) && ($0.source, $0.name) != (.omid, "scriptError")
    }
    #expect(zip(host, host.dropFirst()).allSatisfy { $0.t <= $1.t }, "\(sample.name)")
    #expect(record.eventCount == events.count, "\(sample.name)")
    #expect(names.count { $0 == "host/screenshot" } == record.screenshots.count, "\(sample.name)")
  }

  /// Checks that the pictures have the device's pixels and aren't blank.
  private func checkPictures() throws {
    let device = try #require(DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName))
    let sides = [device.screen.width, device.screen.height].map { Bounded.int($0, in: 0...10_000) * device.renderScale }
    for screenshot in record.screenshots {
      let file = "\(folder)/screenshots/\(screenshot.name)"
      let picture = try PNGDecoder.read(path: "\(file).png")
      #expect([picture.width, picture.height].sorted() == sides.sorted(), "\(sample.name)")
      #expect((picture.width, picture.height) == (screenshot.width, screenshot.height), "\(sample.name)")
      #expect(!picture.isUniform, "\(sample.name): \(screenshot.name)")
      #expect(picture.isOpaque, "\(sample.name)")
      #expect(try !PNGDecoder.read(path: "\(file)-ad.png").isUniform, "\(sample.name): \(screenshot.name)-ad")
    }
  }

  private func checkTransitions() {
    let moves = record.transitions
    #expect(moves.map(\.to) == record.states, "\(sample.name)")
    #expect(zip(moves, moves.dropFirst()).allSatisfy { $0.to == $1.from && $0.t <= $1.t }, "\(sample.name)")
  }
}

extension Event {
  /// Event without values that depend on the machine's speed.
  fileprivate var timeless: Event {
    var event = self
    event.t = 0
    if case .object(var members) = detail {
      members["timing"] = nil
      event.detail = .object(members)
    }
    return event
  }
}

/// Folder of `Creatives` with its author's expectations.
private struct SampleCreative {
  /// Content of `expected.yaml`; a missing key isn't checked.
  struct Expected: Decodable {
    var placement: Placement.Kind
    var outcome: RenderRecord.Outcome
    var code: String?
    var states: [MRAIDState]?
    var screenshots: Int?
    var events: [String]?
    var timeout: Double?
    var memory: Int?
  }

  /// Name of the sample as `family/name`.
  let name: String
  let expected: Expected
  /// Path to render: the folder, or the fragment in it.
  let path: String

  init(name: String) throws {
    let folder = "\(Self.root)/\(name)"
    self.name = name
    expected = try YAMLDecoder().decode(
      Expected.self, from: String(contentsOfFile: "\(folder)/expected.yaml", encoding: .utf8))
    path = FileManager.default.fileExists(atPath: "\(folder)/ad.html") ? "\(folder)/ad.html" : folder
  }

  /// Options for its render: the limits that it expects.
  var options: String {
    let words = [
      "--timeout \(expected.timeout ?? 90)", expected.memory.map { "--memory \($0)" },
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Creatives").path()

  /// Returns all samples, ordered by name.
  static func all() throws -> [SampleCreative] {
    try ["banner", "explore", "hostile", "interstitial", "libraries", "mraid", "video"].flatMap { family in
      try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(family)")
        .filter { !$0.hasPrefix(".") }.sorted().map { try SampleCreative(name: "\(family)/\($0)") }
    }
  }
}
