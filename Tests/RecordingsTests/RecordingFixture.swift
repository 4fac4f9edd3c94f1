import Core
import Foundation

@testable import Recordings

/// A recording with one of everything.
enum Sample {
  static func recording(in folder: String) throws -> RecordingFolder {
    let recording = try RecordingFolder.create(folder)
    for exchange in try exchanges(recording) { try recording.append(exchange) }
    try recording.write([MatchRule(parsing: "ignore query cb on *.example")])
    try recording.write(RecordedConditions(seed: 7, date: 1_790_000_000))
    return recording
  }

  static func exchanges(_ recording: RecordingFolder) throws -> [Exchange] {
    let tls = Exchange.TLS(version: "TLSv1.3", subject: "cdn.example", issuer: "R3", validFrom: 1, validTo: 2)
    let server = Exchange.Server(address: "192.0.2.1", port: 443, resolved: ["192.0.2.1", "2001:db8::1"], tls: tls)
    let timing = Exchange.Timing(dns: 1, connect: 2, tls: 3.5, send: 0.25, wait: 40, receive: 8)
    let page = Exchange(
      index: 0, method: "GET", url: "https://ads.example/?cb=1", requestHeaders: [.init("Accept", "text/html")],
      startedAt: 12.5, date: 1_790_000_000.125, timing: timing, server: server,
      response: .init(
        status: 200, reason: "OK",
        headers: [
          .init("Content-Type", "text/html; charset=utf-8"), .init("Content-Encoding", "gzip"),
          .init("Set-Cookie", "a=1"), .init("Set-Cookie", "b=2"),
        ],
        content: try recording.keep(Array("<p>\"Grüße\"\\\n\t\u{1}😀".utf8), mimeType: "text/html; charset=utf-8"),
        wireSize: 33, pieces: [.init(after: 0, size: 10), .init(after: 2, size: 16)]),
      arrival: .init(place: 3, head: 46.75, end: 8, endPlace: 4))
    let hop = Exchange(
      index: 1, method: "GET", url: "https://ads.example/hop", date: 1_790_000_001,
      response: .init(status: 302, reason: "Found", headers: [.init("Location", "/pixel.png")]))
    let pixel = Exchange(
      index: 2, method: "GET", url: "https://ads.example/pixel.png", date: 1_790_000_002,
      response: .init(
        status: 200, headers: [.init("Content-Type", "image/png")],
        content: try recording.keep([0x89, 0x50, 0x4E, 0x47, 0, 255, 254], mimeType: "image/png"), wireSize: 7))
    let post = Exchange(
      index: 3, method: "POST", url: "https://track.example/e",
      requestHeaders: [.init("Content-Type", "application/json")],
      requestBody: try recording.keep(Array(#"{"n":1}"#.utf8), mimeType: "application/json"), date: 1_790_000_003,
      response: .init(status: 204))
    let failed = Exchange(
      index: 4, method: "GET", url: "https://gone.example/", date: 1_790_000_004, failure: .dns)
    let socket = Exchange(
      index: 5, method: "GET", url: "wss://live.example/s", date: 1_790_000_005, response: .init(status: 101),
      messages: [
        .init(isSent: true, after: 0, opcode: 1, data: "hello", place: 9),
        .init(isSent: false, after: 3.5, opcode: 2, data: "AAE="),
      ])
    return [page, hop, pixel, post, failed, socket]
  }
}

extension RecordingFolder {
  /// A body as text.
  func text(_ content: Exchange.Content?) throws -> String? {
    try content.map { String(decoding: try body($0, most: 1 << 30), as: UTF8.self) }
  }
}
