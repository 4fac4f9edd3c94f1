import Core
import Foundation
import Testing

@testable import Reports

@Suite("HAR")
struct HARReportTests {
  private func log() throws -> JSONValue {
    let folder = try SampleFolder(Sample.report([Sample.creative("fine")]), events: Sample.events)
    let archive = try JSONDecoder().decode(JSONValue.self, from: Data(HARReport.text(folder.source).utf8))
    return try #require(archive["log"])
  }

  @Test("a creative is a page, a request an entry in the page's order")
  func entries() throws {
    let log = try log()
    #expect(log["version"] == "1.2")
    #expect(log["pages"]?[0]?["id"] == "fine")
    #expect(log["pages"]?[0]?["pageTimings"]?["onLoad"] == 300)
    let entries = try #require(log["entries"]?.array)
    #expect(entries.count == 2)
    #expect(entries.allSatisfy { $0["pageref"] == "fine" })
    #expect(entries[0]["request"]?["url"] == "https://ads.example/a%20b.js?x=1&y=%3Cb%3E")
    #expect(entries[0]["request"]?["queryString"] == [["name": "x", "value": "1"], ["name": "y", "value": "<b>"]])
    #expect(entries[0]["response"]?["content"] == ["size": 4_040, "mimeType": "text/javascript"])
    #expect(entries[0]["_redirects"] == ["http://ads.example/old.js"])
  }

  @Test("an entry's time is the sum of its timings, and starts where the log says")
  func times() throws {
    let entry = try #require(try log()["entries"]?[0])
    #expect(entry["time"] == 65.5)
    let timings = try #require(entry["timings"]?.object)
    #expect(timings.values.compactMap(\.number).reduce(0, +) == 65.5)
    #expect(entry["startedDateTime"] == "1970-01-01T00:00:00.020Z")
  }

  @Test("what was measured is told rather than what the log says, with the heads")
  func measured() throws {
    let folder = try SampleFolder(
      Sample.report([Sample.creative("fine")]), events: Sample.events, measurements: Sample.measurements)
    let archive = try JSONDecoder().decode(JSONValue.self, from: Data(HARReport.text(folder.source).utf8))
    let log = try #require(archive["log"])
    #expect(log["pages"]?[0]?["pageTimings"] == ["onContentLoad": 90, "onLoad": 300])
    #expect(log["entries"]?.array?.count == 1)
    let entry = try #require(log["entries"]?[0])
    #expect(entry["request"]?["method"] == "POST")
    #expect(entry["request"]?["headers"] == [["name": "Accept", "value": "*/*"]])
    #expect(entry["response"]?["headers"] == [["name": "Content-Encoding", "value": "gzip"]])
    #expect(entry["response"]?["bodySize"] == 4_040)
    #expect(entry["response"]?["content"]?["size"] == 12_000)
    #expect(entry["_origin"] == "network")
  }

  @Test("a request that failed has the format's values for what never came, and the reason in a field of Galley's")
  func failure() throws {
    let entry = try #require(try log()["entries"]?[1])
    #expect(entry["response"]?["status"] == 0)
    #expect(entry["response"]?["bodySize"] == -1)
    #expect(entry["response"]?["content"]?["size"] == 0)
    #expect(entry["_failure"] == "cancelled")
  }
}
