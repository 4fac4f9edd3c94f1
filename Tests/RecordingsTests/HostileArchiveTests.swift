import Core
import Foundation
import TestFolders
import Testing

@testable import Recordings

/// Malicious archives: each causes one fault, and writes nothing outside its folder.
@Suite struct HostileArchiveTests {
  private func fault(_ text: String, file: String = "r.har") throws -> Fault? {
    let place = try TestFolder()
    let path = try place.write(file, text)
    do {
      try RecordingFile.unpack(path, into: place.file("one"))
      return nil
    } catch {
      return error
    }
  }

  private func entry(
    url: String = "https://a.example/", method: String = "GET", status: String = "200", content: String = "{}",
    more: String = ""
  ) -> String {
    """
    {"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"request":{"method":"\(method)","url":"\(url)",
    "headers":[]},"response":{"status":\(status),"headers":[],"content":\(content)}\(more)}]}}
    """
  }

  @Test(arguments: [
    "", "{", "[]", "null", "{}", #"{"log":{}}"#,
    #"{"log":{"version":"1.2","creator":{"name":"a","version":"b"},"entries":[1]}}"#,
    #"{"log":{"version":"1.2","creator":{"name":"a","version":"b"},"entries":[[]]}}"#,
    #"{"log":{"version":"1.2","creator":{"name":"a","version":"b"},"entries":[{}]}}"#,
    #"{"log":{"version":"1.2","creator":{"name":"a","version":"b"},"entries":["#, "}}}}", "\"", "{\"log", "\u{0}\u{0}",
    String(repeating: "[", count: 1_000_000), String(repeating: #"{"a":"#, count: 100_000),
  ]) func whatIsNoArchiveIsRefused(_ text: String) throws {
    let fault = try #require(try fault(text))
    #expect(fault.code == "recording-broken" && fault.origin == .request, "\(fault)")
  }

  @Test func absurdNumbersAreRefused() throws {
    for status in ["1e300", "99", "100000", "2.5", "\"200\"", "9223372036854775807"] {
      #expect(try fault(entry(status: status))?.code == "recording-broken", "\(status)")
    }
    for text in ["GET\\r\\nX: y", "", "G T"] { #expect(try fault(entry(method: text))?.code == "recording-broken") }
    #expect(try fault(entry(url: "https://a.example/\\r\\nX"))?.code == "recording-broken")
    let huge =
      #"{"index":0,"method":"GET","url":"https://a.example/","requestHeaders":[],"startedAt":0,"date":1e300,"timing":{}}"#
    #expect(try fault(entry(more: ",\"_galley\":\(huge)"))?.code == "recording-broken")
    let far = huge.replacing("1e300", with: "0").dropLast()
    let place = #","arrival":{"place":9223372036854775807,"head":0,"end":0}}"#
    #expect(try fault(entry(more: ",\"_galley\":\(far)\(place)"))?.code == "recording-broken")
  }

  @Test func brokenBodiesAreRefused() throws {
    for text in ["@@@@", "aGk", "aG=k", "a", "aGk=="] {
      let fault = try fault(entry(content: #"{"text":"\#(text)","encoding":"base64"}"#))
      #expect((fault?.code == "recording-broken") == (text != "aGk"), "\(text)")
    }
    let long = String(repeating: "AAAA", count: 50_000)
    #expect(try fault(entry(content: #"{"encoding":"base64","text":"\#(long)"}"#)) == nil)
    #expect(try fault(entry(content: #"{"encoding":"base64","text":"\#(long)!"}"#))?.code == "recording-broken")
  }

  @Test(arguments: ["../secret", "/etc/passwd", "..", "a/b", "", "one\\u0000", "link", "folder"])
  func filesOutsideAreNeverRead(_ name: String) throws {
    let place = try TestFolder()
    try FileManager.default.createDirectory(atPath: place.file("in/folder"), withIntermediateDirectories: true)
    try place.write("secret", "secret")
    try FileManager.default.createSymbolicLink(atPath: place.file("in/link"), withDestinationPath: place.file("secret"))
    let path = try place.write("in/r.har", entry(content: #"{"_file":"\#(name)"}"#))
    #expect(throws: Fault.self) { try RecordingFile.unpack(path, into: place.file("one")) }
  }

  @Test func aHeadCannotEndALine() throws {
    let place = try TestFolder()
    let more = #","x":0"#
    let text = entry(more: more).replacing(
      #""status":200,"headers":[]"#,
      with:
        #""status":200,"statusText":"O\r\nK","headers":[{"name":"A\r\nB","value":"x"},{"name":"C","value":"d\r\nE: f"}]"#
    )
    let found = try RecordingFile.unpack(try place.write("r.har", text), into: place.file("one")).exchanges()
    #expect(found[0].response?.reason == "OK")
    #expect(found[0].response?.headers == [.init("C", "d"), .init("C", "E: f")])
  }

  @Test func aTextThatLooksLikeAPlaceholderIsAText() throws {
    let place = try TestFolder()
    let text = entry(content: #"{"text":"galley:0:0"}"#)
    let recording = try RecordingFile.unpack(try place.write("r.har", text), into: place.file("one"))
    #expect(try recording.text(try recording.exchanges()[0].response?.content) == "galley:0:0")
  }

  @Test func manyLongTextsInOneEntryAreRefused() throws {
    let long = "\"\(String(repeating: "x", count: 70_000))\""
    let many = Array(repeating: long, count: 100).joined(separator: ",")
    #expect(try fault(entry(more: ",\"_x\":[\(many)]"))?.code == "recording-broken")
  }

  @Test func whatIsNoZipIsRefused() throws {
    for text in ["", "PK", "PK\u{3}\u{4}garbage", String(repeating: "x", count: 100_000)] {
      #expect(try fault(text, file: "r.zip")?.code == "recording-broken")
    }
    #expect(try fault("x", file: "r.tar")?.code == "recording-format-unknown")
  }

  @Test func aZipThatNamesWhatItLacksIsRefused() throws {
    let place = try TestFolder()
    let har = try place.write("x", entry(content: #"{"_file":"../../etc/passwd"}"#))
    try RecordingZip.write(place.file("r.zip"), files: [(name: "har.har", path: har)])
    #expect(throws: Fault.self) { try RecordingFile.unpack(place.file("r.zip"), into: place.file("one")) }
    try RecordingZip.write(place.file("e.zip"), files: [(name: "other", path: har)])
    #expect(throws: Fault.self) { try RecordingFile.unpack(place.file("e.zip"), into: place.file("two")) }
  }

  /// Changes, removes and duplicates bytes at fixed pseudorandom places: the worst result is a fault.
  @Test func noChangeOfAnArchiveEndsTheProgram() throws {
    let place = try TestFolder()
    try RecordingFile.pack(try Sample.recording(in: place.file("one")).path, to: place.file("r.har"))
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: place.file("r.har"))))
    var chance: UInt64 = 27
    func next(_ count: Int) -> Int {
      chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(chance >> 33) % count
    }
    var read = 0
    for number in 0..<160 {
      var bytes = whole
      let start = next(bytes.count)
      switch number % 4 {
      case 0: bytes[start] = UInt8(next(256))
      case 1: bytes.removeSubrange(start..<min(bytes.count, start + next(40)))
      case 2: bytes.insert(contentsOf: bytes[start..<min(bytes.count, start + next(400))], at: next(bytes.count))
      default:
        // A number becomes an absurd one.
        guard let digit = bytes[start...].firstIndex(where: { (48...57).contains($0) }) else { continue }
        bytes.replaceSubrange(digit...digit, with: Array(["-1", "1e999", "99999999999999999999", "0.5"][next(4)].utf8))
      }
      try Data(bytes).write(to: URL(fileURLWithPath: place.file("m.har")))
      do throws(Fault) {
        let found = try RecordingFile.unpack(place.file("m.har"), into: place.file("m\(number)"))
        let exchanges = try found.exchanges()
        let areSound = exchanges.allSatisfy(\.isSound)
        #expect(areSound)
        try RecordingFile.pack(found.path, to: place.file("again.har"))
        read += 1
      } catch {
        #expect(error.origin == .request, "\(error)")
      }
    }
    let count = read
    #expect(count > 8)
  }
}
