import Core
import Device
import Foundation
import MRAID
import Pixels
import RenderModel
import Testing
import WebKitRuntime
import Yams

extension LiveWebKit {
  @Suite("Each sample creative, rendered")
  struct SampleCreativeRenderTests {
    /// Renders in virtual time, as the command does.
    @WebKitActor private static let virtual = TestRender(extensionDirectory: WebExtension.folder)

    @Test("gives what its author expects", arguments: SampleCreative.all)
    @WebKitActor func expectations(sample: SampleCreative) async throws {
      let expected = try sample.expected()
      var options = try sample.options()
      options.clock = .virtual
      let result = try await Self.virtual.render(path: sample.path, options)
      let record = result.record
      #expect(record.outcome == expected.outcome, "\(record.message ?? "")")
      #expect(record.code == expected.code)
      #expect(record.placement?.kind == expected.placement)
      if let states = expected.states { #expect(record.states == states) }
      if let count = expected.screenshots { #expect(record.screenshots.count == count) }
      checkEvents(result, expected: expected.events ?? [])
      try checkPictures(result)
      try checkRecord(result)
    }

    /// The expected ones in their order, others between; the log itself without a gap.
    private func checkEvents(_ result: RenderedCreative, expected: [String]) {
      var rest = result.names[...]
      for name in expected {
        guard let index = rest.firstIndex(of: name) else {
          Issue.record("\(name) doesn't follow in \(rest.joined(separator: " "))")
          return
        }
        rest = rest[(index + 1)...]
      }
      #expect(result.events.map(\.seq) == Array(0..<result.events.count))
      // What a page does by itself is told later than it happened, and nothing else is.
      let host = result.events.filter {
        ![.page, .creative, .simid].contains($0.source) && ($0.source, $0.name) != (.omid, "scriptError")
      }
      #expect(zip(host, host.dropFirst()).allSatisfy { $0.t <= $1.t })
      #expect(result.record.eventCount == result.events.count)
    }

    /// The device's pixels, and something to see on them.
    private func checkPictures(_ result: RenderedCreative) throws {
      let device = try #require(DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName))
      let sides = [device.screen.width, device.screen.height].map { Bounded.int($0, in: 0...10_000) * device.renderScale }
      for (index, screenshot) in result.record.screenshots.enumerated() {
        let picture = try result.picture(index + 1)
        #expect([picture.width, picture.height].sorted() == sides.sorted())
        #expect((picture.width, picture.height) == (screenshot.width, screenshot.height))
        #expect(!picture.isUniform, "\(screenshot.name)")
        #expect(picture.isOpaque)
        let ad = try result.picture(index + 1, ad: true)
        #expect(!ad.isUniform, "\(screenshot.name)-ad")
      }
    }

    private func checkRecord(_ result: RenderedCreative) throws {
      let data = try Data(contentsOf: URL(fileURLWithPath: result.folder + "/result.json"))
      #expect(try JSONDecoder().decode(RenderRecord.self, from: data) == result.record)
      let moves = result.record.transitions
      #expect(moves.map(\.to) == result.record.states)
      #expect(zip(moves, moves.dropFirst()).allSatisfy { $0.to == $1.from && $0.t <= $1.t })
      #expect(result.events("host/screenshot").count == result.record.screenshots.count)
    }

    /// Four in the way of the command, four as trusted creatives.
    private static let repeated: [(String, RenderOptions.Isolation)] = [
      ("mraid/expand-two-part", .process), ("mraid/click-open", .process), ("mraid/portable", .process),
      ("video/end-card", .process), ("video/full-screen", .session),
      ("mraid/resize", .session), ("mraid/exposure", .session), ("banner/web-font", .session),
    ]

    @Test("gives the same log twice but for times", arguments: repeated)
    @WebKitActor func determinism(name: String, isolation: RenderOptions.Isolation) async throws {
      let sample = try #require(SampleCreative.all.first { $0.name == name })
      var logs: [[Event]] = []
      for _ in 0..<2 {
        let result = try await TestRender.shared.render(path: sample.path, sample.options(isolation: isolation))
        logs.append(result.events.map(Self.timeless))
      }
      #expect(logs[0].count == logs[1].count)
      for (one, other) in zip(logs[0], logs[1]) where one != other {
        Issue.record("\(one) or \(other)")
        break
      }
    }

    private static func timeless(_ event: Event) -> Event {
      var event = event
      event.t = 0
      if case .object(var members) = event.detail {
        members["timing"] = nil
        event.detail = .object(members)
      }
      return event
    }
  }
}

/// One folder of `Creatives` with what its author expects.
struct SampleCreative: Sendable, CustomTestStringConvertible {
  /// `expected.yaml`; a key that is left out isn't checked.
  struct Expected: Sendable, Decodable {
    var placement: Placement.Kind
    var outcome: RenderRecord.Outcome
    var code: String?
    var states: [MRAIDState]?
    var screenshots: Int?
    var events: [String]?
    var timeout: Double?
    var memory: Int?
  }

  /// `family/name`
  let name: String

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Creatives")

  /// Every sample, in the order of their names.
  static let all: [SampleCreative] = [
    "banner", "explore", "hostile", "interstitial", "libraries", "mraid", "video",
  ].flatMap { family in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(family).path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { SampleCreative(name: "\(family)/\($0)") }
  }

  var testDescription: String { name }

  private var folder: URL { Self.root.appendingPathComponent(name) }

  /// What to render: the folder, or the fragment in it.
  var path: String {
    let fragment = folder.appendingPathComponent("ad.html").path
    return FileManager.default.fileExists(atPath: fragment) ? fragment : folder.path
  }

  private func text(_ suffix: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
    return try String(contentsOf: folder.appendingPathComponent(names.first ?? suffix), encoding: .utf8)
  }

  func expected() throws -> Expected { try YAMLDecoder().decode(Expected.self, from: text("expected.yaml")) }

  /// How it is rendered: by its scenario, within the limits it expects.
  func options(isolation: RenderOptions.Isolation = .process) throws -> TestRender.Options {
    let expected = try expected()
    var options = TestRender.Options(isolation: isolation, scenario: try text("scenario.yaml"))
    options.limits = Limits(timeout: expected.timeout ?? 30, memory: expected.memory ?? 1_024)
    return options
  }
}
