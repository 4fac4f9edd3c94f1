import Foundation
import Jobs
import MRAID
import Testing

@testable import Rendering

@Suite("The event writer")
struct EventWriterTests {
  @Test("writes one line an event, in order, keys sorted")
  func lines() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/events.ndjson"
    let writer = try EventWriter(path: path)
    let events = (0..<300).map { number in
      Event(
        seq: number, t: Double(number), source: .page, name: "console", detail: ["text": "a\nb \u{1F600} </script> /"])
    }
    for event in events { writer.write(event) }
    #expect(await writer.finish() == 0)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) } == events)
    #expect(lines.first?.hasPrefix(#"{"detail":{"text":"a\nb 😀 </script> /"},"name":"console","seq":0,"#) == true)
  }

  @Test("keeps the place of an event that has no form in JSON", arguments: [Double.nan, .infinity, -.infinity])
  func unencodable(number: Double) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/events.ndjson"
    let writer = try EventWriter(path: path)
    writer.write(Event(seq: 0, t: 1, source: .host, name: "load"))
    writer.write(Event(seq: 1, t: number, source: .page, name: "console", detail: ["width": .number(number)]))
    writer.write(Event(seq: 2, t: 3, source: .host, name: "settled"))
    #expect(await writer.finish() == 0)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let events = try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    #expect(events.map(\.seq) == [0, 1, 2])
    #expect(events[1].name == "console")
    #expect(events[1].detail["unencodable"]?.string?.isEmpty == false)
  }

  @Test("replaces an older log")
  func replaces() async throws {
    let folder = try TemporaryFolder()
    try folder.write("events.ndjson", "old\n")
    let writer = try EventWriter(path: folder.path + "/events.ndjson")
    #expect(await writer.finish() == 0)
    #expect(try String(contentsOfFile: folder.path + "/events.ndjson", encoding: .utf8).isEmpty)
  }

  @Test("tells the errno when the disk is full, and swallows what comes after")
  func diskFull() async throws {
    let writer = try EventWriter(path: "/dev/full")
    for number in 0..<10 { writer.write(Event(seq: number, t: 0, source: .host, name: "tick")) }
    #expect(await writer.finish() == ENOSPC)
  }

  @Test("refuses a place that isn't there, as a fault")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Fault.self) { _ = try EventWriter(path: folder.path + "/none/events.ndjson") }
  }
}
