import Comparison
import Core
import Foundation
import MRAID
import Pixels
import RenderModel

@testable import Scheduling
@testable import Service

/// Renders that have ended, without an engine: each picture is of one colour.
struct ReviewedRenders: Sendable {
  let store: Store
  let data: DataFolder
  let desk: ReviewDesk

  init(_ service: WebService) {
    (store, data, desk) = (service.renders.store, service.renders.data, service.reviews.desk)
  }

  /// An ad that expands, has its picture taken and closes: the pictures of the expanded state are equal.
  static let expanding: [String: UInt32] = [
    "001-default": 0x0066CC, "002-expanded": 0xFFFFFF, "003-open": 0xFFFFFF, "004-default": 0x0066CC,
  ]

  /// Ends one that shows these pictures; answers its id.
  func end(
    _ pictures: [String: UInt32], name: String = "ad", owner: String = "local", labels: [String: String] = [:],
    click: String? = nil
  ) async throws -> String {
    let id = RenderID.make(at: Instant.now)
    let members: JSONValue = .object([
      "markup": "<p>ad", "name": .string(name), "labels": .object(labels.mapValues { .string($0) }),
    ])
    let request = try Submission(json: Array(members.text.utf8), bounds: .init()).request
    _ = try await store.accept(
      NewRender(
        id: id, name: name, content: "c", request: request.text, owner: owner, created: Instant.now, labels: labels))
    let record = try write(pictures, of: id, request, click)
    let completion = RenderCompletion(
      status: .completed, summary: RenderSummary(record).text, finished: Instant.now, review: try await desk.begin(id))
    _ = try await store.end(id, completion)
    return id
  }

  private func write(
    _ pictures: [String: UInt32], of id: String, _ request: RenderRequest, _ click: String?
  ) throws -> RenderRecord {
    let folder = data.render(id)
    let result = ResultFolder(folder.result(request.name))
    for path in [folder.creative, result.screenshots] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try Data("<p>ad".utf8).write(to: URL(filePath: folder.creative + "/markup"))
    try Data().write(to: URL(filePath: result.events))
    for (name, color) in pictures {
      let bitmap = Bitmap(width: 40, height: 30, fill: Color(rgb: color))
      try Data(PNGEncoder.encode(bitmap)).write(to: URL(filePath: "\(result.screenshots)/\(name).png"))
    }
    let job = try request.job(path: "/", output: result.path, reach: .none)
    var record = RenderRecord(
      creative: RenderRecord.Creative(path: request.name), device: RenderRecord.DeviceSummary(job.device),
      engine: RenderRecord.Engine(webkit: "2.50", galley: Galley.version, sandbox: true), outcome: .completed,
      states: [.default],
      screenshots: pictures.keys.sorted().map {
        RenderRecord.Screenshot(name: $0, path: "screenshots/\($0).png", state: .default, t: 1, width: 40, height: 30)
      })
    record.creative.delivered = click.map { address in
      DeliveredFiles(
        sha256: address, whole: true, document: "index.html",
        files: [.init(path: "index.html", sha256: address, addresses: [address])])
    }
    try result.write(record)
    return record
  }
}

/// An answer's status and its document.
struct Heard {
  let status: Int
  let document: JSONValue

  init(_ answer: String) {
    status = answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let body = answer.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
    document = JSONText.value(Array(body.utf8)) ?? .null
  }

  /// A problem's code; nil for what isn't one.
  var code: String? { document["code"]?.string }
}

extension LiveService {
  /// Sends a request with a document, and reads the answer's document.
  func send(_ method: String, _ path: String, _ body: JSONValue? = nil, as token: String? = nil) async throws -> Heard {
    var headers = ["Content-Type": "application/json"]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    return Heard(try await ask(method, path, headers, body: body?.text ?? ""))
  }
}
