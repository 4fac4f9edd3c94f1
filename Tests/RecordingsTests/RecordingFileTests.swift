import Core
import Foundation
import TestFolders
import Testing

@testable import Recordings

@Suite struct RecordingFileTests {
  private let home: TestFolder
  private var place: String { home.path }

  init() throws { home = try TestFolder() }

  /// A recording with everything in it.
  private func sample() throws -> RecordingFolder {
    let folder = try RecordingFolder.create("\(place)/sample")
    let page = try folder.keep(Array("<p>ad".utf8), mimeType: "text/html")
    let picture = try folder.keep([0x89, 0x50, 0, 255], mimeType: "image/png")
    let sent = try folder.keep(Array(#"{"a":1}"#.utf8), mimeType: "application/json")
    try folder.append(
      Exchange(
        index: 0, method: "GET", url: "https://a.example/?cb=1", requestHeaders: [Exchange.Header("Accept", "*/*")],
        startedAt: 1.5, date: 1_700_000_000.25,
        timing: Exchange.Timing(dns: 1, connect: 2, send: 0, wait: 4, receive: 1),
        server: Exchange.Server(
          address: "192.0.2.1", port: 443,
          tls: Exchange.TLS(version: "TLSv1.3", subject: "CN=a", issuer: "CN=b", validFrom: 1, validTo: 2)),
        response: Exchange.Response(
          status: 200, reason: "OK", headers: [Exchange.Header("Content-Type", "text/html")], content: page, wireSize: 5
        ),
        arrival: Exchange.Arrival(place: 0, head: 3, end: 1, endPlace: 1)))
    try folder.append(
      Exchange(
        index: 1, method: "POST", url: "https://a.example/p", requestBody: sent, date: 1_700_000_000.5,
        response: Exchange.Response(
          status: 200, headers: [Exchange.Header("Content-Type", "image/png")], content: picture, wireSize: 4,
          pieces: [Exchange.Piece(after: 5, size: 2, place: 3), Exchange.Piece(after: 7, size: 2, place: 4)])))
    try folder.append(
      Exchange(index: 2, method: "GET", url: "https://gone.example/", date: 1_700_000_001, failure: .dns))
    try folder.append(
      Exchange(
        index: 3, method: "GET", url: "wss://a.example/s", date: 1_700_000_001,
        response: Exchange.Response(status: 101),
        messages: [
          Exchange.SocketMessage(isSent: true, after: 1, opcode: 1, data: "hello", place: 5),
          Exchange.SocketMessage(isSent: false, after: 2, opcode: 2, data: "AAEC", place: 6),
        ]))
    try folder.write([try MatchRule(parsing: "ignore query cb on *.example")])
    try folder.write(RecordedConditions(seed: 7, date: 1_700_000_000))
    return folder
  }

  private func unpacked(_ file: String) throws -> RecordingFolder {
    try RecordingFile.unpack("\(place)/\(file)", into: "\(place)/\(UUID().uuidString)")
  }

  @Test(arguments: ["r.zip", "r.har"]) func whatIsWrittenIsReadAgain(_ name: String) throws {
    let folder = try sample()
    try RecordingFile.pack(folder.path, to: "\(place)/\(name)", title: "ad")
    let again = try unpacked(name)
    #expect(try again.exchanges() == folder.exchanges())
    #expect(try again.rules() == folder.rules() && again.conditions == folder.conditions)
    for exchange in try folder.exchanges() {
      guard let content = exchange.response?.content else { continue }
      #expect(try again.body(content, most: 100) == folder.body(content, most: 100))
    }
    let first = try Data(contentsOf: URL(filePath: "\(place)/\(name)"))
    try RecordingFile.pack(again.path, to: "\(place)/twice-\(name)", title: "ad")
    #expect(try Data(contentsOf: URL(filePath: "\(place)/twice-\(name)")) == first)
  }

  @Test func aPersonsChangeOfTheVisiblePartCounts() throws {
    try RecordingFile.pack(try sample().path, to: "\(place)/r.har")
    var text = try String(contentsOfFile: "\(place)/r.har", encoding: .utf8)
    text = text.replacing("\"text\" : \"<p>ad\"", with: "\"text\" : \"<p>another\"")
    try text.write(toFile: "\(place)/r.har", atomically: true, encoding: .utf8)
    let changed = try unpacked("r.har")
    let response = try #require(try changed.exchanges().first?.response)
    #expect(try changed.body(try #require(response.content), most: 100) == Array("<p>another".utf8))
    #expect(response.wireSize == 10)
  }

  @Test func archivesOfOthersAreRead() throws {
    let text = """
      {"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[
      {"startedDateTime":"2026-01-01T00:00:00.000Z","time":5,"request":{"method":"get","url":"http://h.example/a#f",
       "headers":[{"name":":authority","value":"h"},{"name":"Accept","value":"*/*"}]},
       "response":{"status":200,"statusText":"OK","headers":[{"name":"Set-Cookie","value":"a=1\\nb=2"}],
       "content":{"size":3,"mimeType":"text/plain","text":"YWJj","encoding":"base64"},"bodySize":2},
       "cache":{"x":{}},"timings":{"dns":-1,"connect":3,"wait":20,"receive":2,"comment":"c"}},
      {"startedDateTime":"2026-01-01T00:00:01Z","request":{"method":"POST","url":"http://h.example/p",
       "postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a","value":"1"}]}},
       "response":{"status":-1},"_failureText":"net::ERR_FAILED"}]}}
      """
    try text.write(toFile: "\(place)/o.har", atomically: true, encoding: .utf8)
    let folder = try unpacked("o.har")
    let exchanges = try folder.exchanges()
    #expect(exchanges.map(\.method) == ["GET", "POST"] && exchanges[0].url == "http://h.example/a")
    #expect(exchanges[0].requestHeaders == [Exchange.Header("Accept", "*/*")])
    #expect(exchanges[0].response?.headers.map(\.value) == ["a=1", "b=2"])
    #expect(try folder.body(try #require(exchanges[0].response?.content), most: 9) == Array("abc".utf8))
    #expect(exchanges[0].timing.untilHead == 23 && exchanges[0].response?.wireSize == 2)
    #expect(exchanges[1].startedAt == 1_000 && exchanges[1].failure == .reset && exchanges[1].response == nil)
    #expect(try folder.body(try #require(exchanges[1].requestBody), most: 9) == Array("a=1".utf8))
  }

  @Test(
    arguments: [
      ("x.har", "{"), ("x.har", "[]"), ("x.har", #"{"log":{}}"#), ("x.zip", "no zip"),
      ("x.har", entry(#""content":{"text":"%%%","encoding":"base64"}"#)),
      ("x.har", entry(#""content":{"_file":"../../etc/passwd"}"#)),
      ("x.har", entry(#""content":{}"#).replacing(#""status":200"#, with: #""status":99999"#)),
    ])
  func whatIsBrokenHasOneClearFault(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(place)/\(name)", atomically: true, encoding: .utf8)
    #expect { try unpacked(name) } throws: {
      ($0 as? Fault)?.code == "recording-broken" && ($0 as? Fault)?.origin == .request
    }
  }

  private static func entry(_ content: String) -> String {
    #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"request":{"method":"GET","url":"http://a/"},"response":{"status":200,\#(content)}}]}}"#
  }

  @Test func aDigestLeadsNowhereElse() throws {
    let folder = try sample()
    for digest in ["", "../../etc/passwd", String(repeating: "g", count: 64), String(repeating: "A", count: 64)] {
      #expect(folder.bodyPath(digest) == nil)
    }
  }
}

@Suite struct ContentDecoderTests {
  /// "hello" and a hundred a's by each encoding's own program.
  private static let text = "hello" + String(repeating: "a", count: 100)

  @Test(
    arguments: [
      ("gzip", "H4sIAAAAAAACA8tIzcnJT6QDAACyNjSzaQAAAA=="), ("deflate", "eJzLSM3JyU+kAwAAUFIn+Q=="),
      ("identity", "aGVsbG8="), ("deflate", "y0jNyclPpAMAAA=="),
    ])
  func encodingsAreTakenOffAByteAtATime(_ name: String, _ base64: String) throws {
    let bytes = try #require(Data(base64Encoded: base64))
    let decoder = try #require(ContentDecoder(name))
    var decoded: [UInt8] = []
    for byte in bytes { try withUnsafeBytes(of: byte) { try decoder.take($0) { decoded += $0 } } }
    #expect(String(decoding: decoded, as: UTF8.self).hasPrefix("hello"))
  }

  @Test func brotliIsTakenOff() throws {
    // An uncompressed metablock, as RFC 7932 has it (9.2).
    let decoder = try #require(ContentDecoder("br"))
    var decoded: [UInt8] = []
    let bytes: [UInt8] = [0x0b, 0x02, 0x80] + Array("hello".utf8) + [0x03]
    try bytes.withUnsafeBytes { try decoder.take($0) { decoded += $0 } }
    #expect(String(decoding: decoded, as: UTF8.self) == "hello")
  }

  @Test func whatIsBrokenIsToldAndWhatIsUnknownHasNoDecoder() throws {
    let decoder = try #require(ContentDecoder("gzip"))
    #expect(throws: ContentDecoder.DecodingError.self) {
      try Array("no gzip at all".utf8).withUnsafeBytes { try decoder.take($0) { _ in } }
    }
    #expect(ContentDecoder("zstd") == nil && ContentDecoder("gzip,gzip,gzip,gzip") == nil)
  }
}
