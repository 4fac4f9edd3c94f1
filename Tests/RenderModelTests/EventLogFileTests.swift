import Core
import Foundation
import RenderModel
import TestFolders
import Testing

@Suite("The event writer")
struct EventWriterTests {
  @Test("writes one line an event, in order, keys sorted")
  func lines() async throws {
    let folder = try TestFolder()
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
    let folder = try TestFolder()
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
    let folder = try TestFolder()
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
    let folder = try TestFolder()
    #expect(throws: Fault.self) { _ = try EventWriter(path: folder.path + "/none/events.ndjson") }
  }
}

@Suite("An event log")
struct EventLogFileTests {
  private let folder: TestFolder
  private let log: EventLogFile

  init() throws {
    folder = try TestFolder()
    log = EventLogFile(folder.path + "/events.ndjson")
  }

  private func line(_ number: Int, text: String = "a") -> String {
    #"{"detail":{"text":"\#(text)"},"name":"console","seq":\#(number),"source":"page","t":1}"#
  }

  @Test("that was cut short or has strange lines gives what can be read")
  func lenient() throws {
    let long = line(3, text: String(repeating: "x", count: 1 << 20))
    try folder.write("events.ndjson", "\(line(0))\nnothing\n\n\(line(1))\n\(long)\n\(line(4))\n{\"seq\":5,")
    #expect(log.events().map(\.seq) == [0, 1, 4])
    #expect(log.events { !$0.contains(UInt8(ascii: "4")) }.map(\.seq) == [0, 1])
    #expect(log.console == "a\na\na\n")
  }

  @Test("is read across the pieces it comes in, the last line without its end as well")
  func pieces() throws {
    let lines = (0..<2_000).map { line($0, text: String(repeating: "y", count: 300)) }
    try folder.write("events.ndjson", lines.joined(separator: "\n"))
    #expect(log.events().map(\.seq) == Array(0..<2_000))
    #expect(try log.everyEvent().count == 2_000)
  }

  @Test("that has to be whole is refused with the line that isn't, or the lines that are too many")
  func strict() throws {
    #expect(throws: EventLogFile.Problem.unreadable) { try log.everyEvent() }
    try folder.write("events.ndjson", "\(line(0))\n\n{}\n")
    #expect(throws: EventLogFile.Problem.broken(line: 2)) { try log.everyEvent() }
    try folder.write("events.ndjson", String(repeating: "{}\n", count: 20_001))
    #expect(throws: EventLogFile.Problem.tooManyLines(20_001)) { try log.everyEvent() }
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "events.ndjson")
    #expect(throws: EventLogFile.Problem.unreadable) { try EventLogFile(folder.path + "/link").everyEvent() }
  }

  @Test("is followed while it is written, line by line, each once")
  func followed() throws {
    var offset = 0
    #expect(log.lines(from: &offset, isWhole: false).isEmpty)
    #expect(log.wholeBytes == 0)
    try folder.write("events.ndjson", "one\n\ntw")
    #expect(log.wholeBytes == 5)
    #expect(log.lines(from: &offset, isWhole: false).map { Array($0) } == [Array("one".utf8), []])
    #expect(offset == 5)
    #expect(log.lines(from: &offset, isWhole: false).isEmpty)
    #expect(log.lines(from: &offset, isWhole: true).map { Array($0) } == [Array("tw".utf8)])
    #expect(log.lines(from: &offset, isWhole: true).isEmpty)
  }

  @Test("gives a line that is longer than a piece in parts")
  func parts() throws {
    try folder.write("events.ndjson", String(repeating: "z", count: EventLogFile.piece + 10) + "\nlast\n")
    var offset = 0
    #expect(log.lines(from: &offset, isWhole: false).map(\.count) == [EventLogFile.piece])
    #expect(log.lines(from: &offset, isWhole: false).map(\.count) == [10, 4])
    #expect(log.wholeBytes == EventLogFile.piece + 16)
  }
}
