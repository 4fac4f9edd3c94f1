import Core
import Foundation
import TestFolders
import Testing

@testable import Recordings

@Suite struct HARTests {
  @Test(arguments: ["har", "zip"]) func whatIsWrittenIsReadTheSame(_ format: String) throws {
    let place = try TestFolder()
    let recording = try Sample.recording(in: place.file("one"))
    try RecordingFile.pack(recording.path, to: place.file("r.\(format)"))
    let again = try RecordingFile.unpack(place.file("r.\(format)"), into: place.file("two"))
    let (before, after) = (try recording.exchanges(), try again.exchanges())
    #expect(before == after)
    #expect(try again.rules() == recording.rules())
    #expect(again.conditions == recording.conditions)
    for content in before.flatMap({ [$0.requestBody, $0.response?.content] }).compactMap({ $0 }) {
      #expect(try again.body(content, most: 100) == recording.body(content, most: 100))
    }
    try RecordingFile.pack(again.path, to: place.file("s.\(format)"))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: place.file("r.\(format)")))
        == Data(contentsOf: URL(fileURLWithPath: place.file("s.\(format)"))))
  }

  @Test(arguments: ["har", "zip"]) func longBodiesComeBackAsTheyWere(_ format: String) throws {
    let place = try TestFolder()
    let recording = try RecordingFolder.create(place.file("one"))
    // Characters of all lengths, and escapes, over the borders of what is read at once.
    let text = String(repeating: "aé\"\\\n\u{2}€😀\u{7F}", count: 40_000)
    var bytes = (0..<500_001).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    bytes[0] = 0xFF
    let (long, binary) = (
      try recording.keep(Array(text.utf8), mimeType: "text/plain"), try recording.keep(bytes, mimeType: "")
    )
    try recording.append(
      Exchange(
        index: 0, method: "POST", url: "https://a.example/", requestBody: binary,
        response: .init(status: 200, content: long, wireSize: 5)))
    try RecordingFile.pack(recording.path, to: place.file("r.\(format)"))
    let again = try RecordingFile.unpack(place.file("r.\(format)"), into: place.file("two"))
    #expect(try again.exchanges() == recording.exchanges())
    #expect(try again.body(long, most: 1 << 30) == Array(text.utf8))
    #expect(try again.body(binary, most: 1 << 30) == bytes)
    // Nothing else is left there.
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.file("two/bodies")).count == 2)
  }

  @Test func anArchiveSaysWhatOthersLookFor() throws {
    let place = try TestFolder()
    let recording = try Sample.recording(in: place.file("one"))
    try RecordingFile.pack(recording.path, to: place.file("r.har"), title: "banner")
    let log = try #require(
      JSONText.value(Array(try Data(contentsOf: URL(fileURLWithPath: place.file("r.har")))))?["log"])
    #expect(log["version"]?.string == "1.2")
    #expect(log["pages"]?[0]?["title"]?.string == "banner")
    let entries = try #require(log["entries"])
    #expect(entries[0]?["startedDateTime"]?.string == "2026-09-21T14:13:20.125Z")
    #expect(entries[0]?["timings"]?["connect"]?.number == 5.5)
    #expect(entries[0]?["timings"]?["ssl"]?.number == 3.5)
    #expect(entries[0]?["time"]?.number == 54.75)
    #expect(entries[0]?["_securityDetails"]?["protocol"]?.string == "TLS 1.3")
    #expect(entries[1]?["response"]?["redirectURL"]?.string == "/pixel.png")
    #expect(entries[2]?["response"]?["content"]?["encoding"]?.string == "base64")
    #expect(entries[3]?["request"]?["postData"]?["text"]?.string == #"{"n":1}"#)
    #expect(entries[4]?["response"]?["status"]?.number == -1)
    #expect(entries[4]?["_error"]?.string == "net::ERR_NAME_NOT_RESOLVED")
    #expect(entries[5]?["_webSocketMessages"]?[1]?["data"]?.string == "AAE=")
  }

  @Test func whatAPersonChangesCounts() throws {
    let place = try TestFolder()
    let recording = try Sample.recording(in: place.file("one"))
    try RecordingFile.pack(recording.path, to: place.file("r.har"))
    let text = try String(contentsOfFile: place.file("r.har"), encoding: .utf8)
      .replacing(#""text" : "{\"n\":1}""#, with: #""text" : "{\"n\":2}""#)
      .replacing(#""status" : 302"#, with: #""status" : 307"#)
    let again = try RecordingFile.unpack(try place.write("e.har", text), into: place.file("two")).exchanges()
    #expect(again[1].response?.status == 307)
    #expect(again[3].requestBody?.digest == SHA256.of(#"{"n":2}"#).hex)
  }

  @Test func othersArchivesAreRead() throws {
    let place = try TestFolder()
    try place.write("0f.txt", "beside")
    let path = try place.write("r.har", Self.foreign)
    let recording = try RecordingFile.unpack(path, into: place.file("one"))
    let found = try recording.exchanges()
    #expect(
      found.map(\.url) == [
        "https://a.example/x?q=1", "https://a.example/f", "wss://a.example/", "https://a.example/late",
      ])
    #expect(found[0].requestHeaders == [.init("Accept", "*/*")])
    #expect(found[0].response?.headers == [.init("Set-Cookie", "a=1"), .init("Set-Cookie", "b=2")])
    #expect(try recording.text(found[0].response?.content) == "hi")
    #expect(found[0].timing.connect == 6 && found[0].timing.tls == 4 && found[0].timing.dns == nil)
    #expect(found[0].server?.tls?.version == "TLSv1.3" && found[0].server?.port == 8443)
    #expect(try recording.text(found[0].requestBody) == "a=1&b=2")
    #expect(found[1].failure == .tls && found[1].response == nil && found[1].startedAt == 250)
    #expect(found[2].messages?.map(\.after) == [0, 1_500] && found[2].failure == nil)
    #expect(try recording.text(found[3].response?.content) == "beside")
  }

  private static let foreign = """
    \u{FEFF}{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "browser": {}, "entries": [
      {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "request": {"method": "get",
        "url": "HTTPS://A.example/x?q=1#f", "headers": [{"name": ":authority", "value": "a"}, {"name": "Accept", "value": "*/*"}],
        "postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]}},
       "response": {"status": 200, "headers": [{"name": "Set-Cookie", "value": "a=1\\nb=2"}],
        "content": {"text": "aGk=", "encoding": "base64", "size": 2, "mimeType": "text/plain"}},
       "cache": {"beforeRequest": null}, "timings": {"dns": -1, "connect": 10, "ssl": 4, "comment": "x"},
       "serverIPAddress": "[::1]", "_serverPort": 8443, "_securityDetails": {"protocol": "TLS 1.3"}},
      {"startedDateTime": "2026-01-01T00:00:00.250Z", "request": {"method": "GET", "url": "https://a.example/f", "headers": []},
       "response": {"status": -1, "_failureText": "net::ERR_CERT_DATE_INVALID"}},
      {"request": {"method": "GET", "url": "data:text/plain,x", "headers": []}},
      {"request": {"method": "GET", "url": "wss://a.example", "headers": []}, "response": {"status": 101},
       "_webSocketMessages": [{"type": "send", "time": 1.5, "opcode": 1, "data": "a"},
        {"type": "receive", "time": 3, "opcode": 1, "data": "b"}]},
      {"request": {"method": "GET", "url": "https://a.example/late", "headers": []},
       "response": {"status": 200, "content": {"_file": "0f.txt"}}}
    ]}}
    """
}
