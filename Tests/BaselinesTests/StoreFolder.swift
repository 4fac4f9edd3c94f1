import Foundation
import Jobs
import MRAID
import Pixels
import Stage

@testable import Baselines

/// A store and a folder of results made for one test, gone with them.
final class StoreFolder: Sendable {
  let path: String
  let store: BaselineStore
  let key = BaselineKey(creative: "ads/banner", variant: "phone")

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "baselines-\(UUID().uuidString)").path()
    store = BaselineStore(path + "/baselines")
    try FileManager.default.createDirectory(atPath: path + "/result/screenshots", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var result: String { path + "/result" }

  static let device = Device(
    name: "phone", screen: Size(width: 390, height: 844), scale: 3, touch: true, userAgent: "UA", platform: "iPhone")

  static func fingerprint(
    webkit: String = "2.50", gl: String? = "llvmpipe", device: Device = device, fonts: [String: String] = ["A.ttf": "1"]
  ) -> Fingerprint {
    Fingerprint(
      webkit: webkit, gl: gl, device: device, clock: .real,
      fonts: fonts.map { Fingerprint.Font(file: $0.key, sha256: $0.value) }, fontSettings: "s")
  }

  /// Writes a picture of the result and returns what a verification says of it.
  func picture(_ name: String, _ color: Color = .white, _ verdict: BaselineVerdict = .new) throws -> Candidate.Part {
    let bytes = try PNGEncoder.encode(Bitmap(width: 300, height: 200, fill: color))
    return try part(name, "screenshots/\(name).png", bytes, verdict)
  }

  /// Writes the result's log of host events.
  func log(_ events: [String], _ verdict: BaselineVerdict = .new) throws -> Candidate.Part {
    let lines = try events.enumerated().map { index, event in
      try JSONEncoder().encode(Event(seq: index, t: 9, source: .host, name: event, detail: ["timing": 4]))
    }
    return try part(PartName.events, "events.ndjson", lines.flatMap { Array($0) + [10] }, verdict)
  }

  private func part(
    _ name: String, _ file: String, _ bytes: [UInt8], _ verdict: BaselineVerdict
  ) throws -> Candidate.Part {
    try Data(bytes).write(to: URL(filePath: result).appending(path: file))
    let judgement = Judgement(name: name, verdict: verdict, render: 0, isSteady: verdict != .flaky)
    return Candidate.Part(judgement, file: file, sha256: Document.hash(of: bytes))
  }

  /// What a verification leaves of these parts, beside the baseline that is there now.
  func approval(
    _ parts: [Candidate.Part], states: [MRAIDState] = [.default], differences: [String] = [],
    fingerprint: Fingerprint = fingerprint()
  ) throws -> Approval {
    let old = try store.manifest(key)
    let states = Candidate(
      key: key, store: store.path, source: "ads/banner", verdict: old == nil ? .new : .changed, renders: 2,
      against: old.map(Document.hash(ofJSON:)), differences: differences, fingerprint: fingerprint, states: states,
      parts: parts + [
        Candidate.Part(Judgement(name: PartName.states, verdict: .changed, render: 0), file: nil, sha256: nil)
      ],
      findings: [])
    return Approval(states, folder: result)
  }
}
