import Foundation
import Jobs
import MRAID
import Testing
import Yams

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
