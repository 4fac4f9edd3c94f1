import Checks
import Core
import FoundationEssentials
import Pixels
import RenderModel
import Testing

@testable import Reports

@Suite("A trace for Playwright's viewer")
struct ViewerTraceTests {
  private static let events = [
    Event(seq: 0, t: 3, source: .host, name: "load", detail: ["placement": "banner"]),
    Event(seq: 1, t: 40, source: .creative, name: "getState", detail: ["arguments": [], "state": "loading"]),
    Event(
      seq: 2, t: 90, source: .network, name: "resource",
      detail: [
        "url": "https://ads.example/a.js", "status": 200, "type": "text/javascript", "bytes": 40,
        "timing": ["start": 20, "end": 85.5],
      ]),
    Event(
      seq: 3, t: 120, source: .network, name: "resource",
      detail: [
        "url": "https://gone.example/x.png", "status": 0, "type": "", "bytes": -1, "failure": "refused",
        "timing": ["start": 100, "end": 110],
      ]),
    Event(seq: 4, t: 300, source: .page, name: "loadFinished"),
    Event(seq: 5, t: 905, source: .input, name: "tap", detail: ["x": 10, "y": 20.5, "layer": "ad"]),
    Event(
      seq: 6, t: 910, source: .creative, name: "expand", detail: ["arguments": ["a {b} \"c\""], "state": "default"]),
    Event(seq: 7, t: 915, source: .mraid, name: "stateChange", detail: ["arguments": ["expanded"]]),
    Event(seq: 8, t: 920, source: .page, name: "console", detail: ["level": "warn", "text": .string(Sample.hostile)]),
    Event(
      seq: 9, t: 930, source: .page, name: "exception",
      detail: ["message": "Error: on purpose", "file": "creative://ad/a.js", "line": 3, "column": 4]),
  ]

  private static let steps = [
    RenderRecord.Step(line: 2, text: "tap: \"#buy\"", start: 900, end: 1_200),
    RenderRecord.Step(
      line: 5, text: "tap: \"#nothere\"", start: 1_200, end: 1_300, failure: "nothing in the ad matches #nothere",
      candidates: ["#buy", "#close"]),
  ]

  private static func result(_ change: (inout RenderRecord) -> Void = { $0.steps = steps }) throws -> SampleResult {
    var record = Sample.record("fine", .passed)
    change(&record)
    return try SampleResult(record, events: events)
  }

  private static func lines(_ trace: ViewerTrace, _ name: String = "trace.trace") throws -> [JSONValue] {
    let file = try #require(trace.files.first { $0.name == name })
    return try file.bytes.split(separator: UInt8(ascii: "\n")).map { try #require(JSONText.value(Array($0))) }
  }

  private static func trace(_ result: SampleResult) throws -> [JSONValue] {
    try withExtendedLifetime(result) { try lines(ViewerTrace(of: result.folder)) }
  }

  private static func all(_ type: String, in lines: [JSONValue]) -> [JSONValue] {
    lines.filter { $0["type"]?.string == type }
  }

  @Test("it begins by what it is of, in the version that viewers read")
  func head() throws {
    let head = try #require(try Self.trace(Self.result()).first)
    #expect(head["type"] == "context-options" && head["version"] == 8 && head["origin"] == "library")
    #expect(head["title"] == "Creatives/fine")
    #expect(head["options"] == ["viewport": ["width": 393, "height": 852], "deviceScaleFactor": 3])
  }

  @Test("the load, each step, each picture and the end are actions; calls stand below what went on")
  func actions() throws {
    let lines = try Self.trace(Self.result())
    let begun = Self.all("before", in: lines)
    #expect(
      begun.map { $0["title"]?.string } == [
        "Load Creatives/fine", "mraid.getState()", "Screenshot 001-default", "tap: \"#buy\"",
        #"mraid.expand("a {b} \"c\"")"#, "tap: \"#nothere\"", "End: completed",
      ])
    #expect(begun[1]["parentId"] == begun[0]["callId"] && begun[1]["group"] == "getter")
    #expect(begun[4]["parentId"] == begun[3]["callId"] && begun[4]["group"] == nil)
    #expect(begun[3]["stack"] == [["file": "scenario.yaml", "line": 2, "column": 1]])
    #expect(Self.all("after", in: lines).count == begun.count)
  }

  @Test("a step that failed says why and what there was; a tap says where")
  func failure() throws {
    let lines = try Self.trace(Self.result())
    let errors = Self.all("after", in: lines).compactMap { $0["error"]?["message"]?.string }
    #expect(errors == ["nothing in the ad matches #nothere\nExisting ids: #buy #close"])
    let input = try #require(Self.all("input", in: lines).first)
    #expect(input["point"] == ["x": 10, "y": 20.5])
    #expect(Self.all("input", in: lines).count == 1)
  }

  @Test("a render that failed without a step says so at its end")
  func brokenRender() throws {
    let lines = try Self.trace(Self.result { $0.fail(.engine("worker-died", "the worker died")) })
    #expect(Self.all("after", in: lines).last?["error"]?["message"] == "the worker died")
  }

  @Test("what was logged stands with what went on; what pages print and throw in the console")
  func logs() throws {
    let lines = try Self.trace(Self.result())
    let step = try #require(Self.all("before", in: lines).first { $0["method"] == "step" })
    let logged = Self.all("log", in: lines).filter { $0["callId"] == step["callId"] }.compactMap {
      $0["message"]?.string
    }
    #expect(logged.contains { $0.hasPrefix("mraid stateChange") && $0.contains("expanded") })
    let console = try #require(Self.all("console", in: lines).first)
    #expect(console["messageType"] == "warning" && console["text"]?.string == Sample.hostile)
    let thrown = try #require(Self.all("event", in: lines).first { $0["method"] == "pageError" })
    #expect(thrown["params"]?["error"]?["error"]?["message"] == "Error: on purpose")
    #expect(
      thrown["params"]?["error"]?["error"]?["stack"] == "Error: on purpose\n    at creative://ad/a.js:3:4")
  }

  @Test("pictures are frames, and snapshots that show them: each picture's bytes once")
  func pictures() throws {
    let lines = try Self.trace(Self.result())
    let frames = Self.all("screencast-frame", in: lines)
    #expect(frames.map { $0["timestamp"] } == [401, 1_101])
    let snapshots = Self.all("frame-snapshot", in: lines).compactMap { $0["snapshot"] }
    let names = Set(snapshots.compactMap { $0["snapshotName"]?.string })
    for action in Self.all("after", in: lines) {
      if let name = action["afterSnapshot"]?.string { #expect(names.contains(name), "\(name) is missing") }
    }
    let whole = snapshots.filter { $0["html"]?[0] == "HTML" }
    #expect(whole.count == 2)
    let source = whole[0]["html"]?[3]?[2]?[1]?["src"]?.string ?? ""
    let encoded = try #require(source.split(separator: ",").last)
    let picture = try #require(Data(base64Encoded: String(encoded)))
    #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    for (index, snapshot) in snapshots.enumerated() where snapshot["html"]?[0] != "HTML" {
      let back = try #require(snapshot["html"]?[0]?[0]?.number)
      #expect(snapshots[index - Bounded.int(back, in: 0...index)]["html"]?[0] == "HTML")
      #expect(snapshot["html"]?[0]?[1] == 5)
    }
  }

  @Test("what a frame or an attachment is called is in the archive")
  func resources() throws {
    let result = try Self.result()
    let trace = try withExtendedLifetime(result) { try ViewerTrace(of: result.folder) }
    let names = Set(trace.files.map(\.name))
    #expect(names.count == trace.files.count)
    let lines = try Self.lines(trace)
    let attached = Self.all("after", in: lines).flatMap { $0["attachments"]?.array ?? [] }
    #expect(
      attached.map { $0["name"] }.contains("result.json") && attached.map { $0["name"] }.contains("events.ndjson"))
    for file in (Self.all("screencast-frame", in: lines) + attached).compactMap({ $0["sha1"]?.string }) {
      #expect(names.contains("resources/\(file)"))
    }
    let scenario = try #require(trace.files.first { $0.name.hasPrefix("resources/src@") })
    #expect(String(decoding: scenario.bytes, as: UTF8.self) == "\n- tap: \"#buy\"\n\n\n- tap: \"#nothere\"\n")
  }

  @Test("requests are entries of an HTTP Archive with the trace's time; one without an answer has the viewer's word")
  func requests() throws {
    let result = try Self.result()
    let trace = try withExtendedLifetime(result) { try ViewerTrace(of: result.folder) }
    let lines = try Self.lines(trace, "trace.network").compactMap { $0["snapshot"] }
    #expect(lines.map { $0["request"]?["url"] } == ["https://ads.example/a.js", "https://gone.example/x.png"])
    #expect(lines.map { $0["_monotonicTime"] } == [21, 101])
    #expect(lines[1]["response"]?["status"] == -1 && lines[1]["response"]?["_failureText"] == "refused")
  }

  @Test("the same result gives the same files")
  func sameTwice() throws {
    let result = try Self.result()
    let files = try withExtendedLifetime(result) {
      try [ViewerTrace(of: result.folder).files, ViewerTrace(of: result.folder).files]
    }
    #expect(files[0] == files[1])
  }

  @Test("a picture outside of the result's folder isn't taken in")
  func hostilePath() throws {
    let result = try Self.result { record in
      record.screenshots[0].path = "../../../../../../etc/hostname.png"
      record.screenshots[1].path = "/etc/passwd"
    }
    let lines = try Self.trace(result)
    #expect(Self.all("screencast-frame", in: lines).isEmpty && Self.all("frame-snapshot", in: lines).isEmpty)
  }

  @Test("a folder without a result is refused")
  func missing() {
    #expect(throws: Fault.self) { try ViewerTrace(of: ResultFolder("/nowhere/at/all")) }
  }
}

/// A result on disk as a render leaves it; gone with the value.
private final class SampleResult {
  let folder: ResultFolder
  let sample: SampleFolder

  init(_ record: RenderRecord, events: [Event]) throws {
    let creative = CreativeReport(name: "fine", folder: "fine", record: record, status: .passed)
    let plain = CreativeReport(name: "fine", folder: "fine", record: Sample.record("fine", .passed), status: .passed)
    sample = try SampleFolder(Sample.report([plain]), events: events)
    folder = ResultFolder("\(sample.path)/fine")
    try folder.write(creative.record)
  }
}
