import Baselines
import Comparison
import Foundation
import Jobs
import MRAID
import Pixels
import Planning
import Stage
import Testing
import Workers

@testable import galley

/// A creative's verifications and approvals without an engine: each picture is of one colour.
final class BaselineRounds: Sendable {
  private let folder: String
  private let place: BaselinePlace
  private let job: RenderJob
  private static let machine = MachineFingerprint()
  private static let device = Device(
    name: "phone", screen: Size(width: 390, height: 844), scale: 3, touch: true, userAgent: "UA", platform: "iPhone")

  init(_ creative: String = "ad", folder: String? = nil) throws {
    self.folder =
      folder ?? FileManager.default.temporaryDirectory.appending(path: "rounds-\(UUID().uuidString)").path()
    place = BaselinePlace(
      store: BaselineStore(self.folder + "/baselines"), key: BaselineKey(creative: creative, variant: "phone"),
      source: creative)
    job = RenderJob(
      id: 0, creative: CreativeReference(argument: creative, path: nil, name: creative),
      output: "\(self.folder)/\(creative)", device: Self.device, placement: Placement(kind: .banner))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Another creative with the same store.
  func beside(_ creative: String) throws -> BaselineRounds { try BaselineRounds(creative, folder: folder) }

  /// Two renders that show these pictures, beside the baseline.
  func verify(_ pictures: [String: UInt32]) async throws -> BaselineOutcome {
    let comparer = ResultComparer(options: ComparisonOptions(), budget: DifferenceBudget())
    var work = BaselineWork(job: job, place: place, isAcross: false)
    for render in 1...2 where render == 1 || work.needsAnother {
      let output = render == 1 ? job.output : "\(job.output)/retries/\(render)"
      await work.take(try write(pictures, to: output), folder: output, Self.machine, comparer)
    }
    return try await work.outcome("ad", comparer)
  }

  private func write(_ pictures: [String: UInt32], to output: String) throws -> RenderRecord {
    try? FileManager.default.removeItem(atPath: output + "/screenshots")
    try FileManager.default.createDirectory(atPath: output + "/screenshots", withIntermediateDirectories: true)
    for (name, color) in pictures {
      let bitmap = Bitmap(width: 40, height: 30, fill: Color(rgb: color))
      try Data(PNGEncoder.encode(bitmap)).write(to: URL(filePath: "\(output)/screenshots/\(name).png"))
    }
    try Data().write(to: URL(filePath: output + "/events.ndjson"))
    return RenderRecord(
      creative: RenderRecord.Creative(path: "ad"), device: RenderRecord.DeviceSummary(Self.device),
      engine: RenderRecord.Engine(webkit: "2.50", galley: Galley.version, sandbox: true), outcome: .completed,
      states: [.default])
  }

  /// Approves parts, or all, as the command does: from what is on disk.
  func approve(_ names: Set<String>? = nil) throws {
    var approval = try #require(try Approval.read(job.output))
    _ = try approval.approve(names)
  }

  /// Makes the verification on disk say that a part is the baseline's picture of another name.
  func misname(_ part: String, as name: String) throws {
    let file = URL(filePath: job.output).appending(path: Candidate.fileName)
    var document = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
    guard case .object(var members) = document, var parts = members["parts"]?.array else { return }
    for index in parts.indices where parts[index]["name"]?.string == part {
      guard case .object(var changed) = parts[index], case .object(var kept) = changed["kept"] else { continue }
      kept["name"] = .string(name)
      changed["kept"] = .object(kept)
      parts[index] = .object(changed)
    }
    members["parts"] = .array(parts)
    document = .object(members)
    try JSONEncoder().encode(document).write(to: file)
  }

  /// The recorded pictures' colours by name.
  func recorded() throws -> [String: UInt32] {
    let manifest = try #require(try place.store.manifest(place.key))
    #expect(Set(manifest.pictures.map(\.name)).count == manifest.pictures.count)
    return try Dictionary(
      uniqueKeysWithValues: manifest.pictures.map { picture in
        let bitmap = try PNGDecoder.decode(place.store.object("\(picture.sha256).png"))
        return (picture.name, bitmap.pixels[0] & 0xFF_FFFF)
      })
  }
}
