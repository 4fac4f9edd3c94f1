import Core
import Device
import Foundation
import MRAID
import RenderModel
import Testing

/// Jobs with a value beyond its bounds, which are refused regardless of their source.
@Suite struct JobBoundsTests {
  private static let job = RenderJob(
    id: 1, creative: CreativeReference(argument: "ad.html", path: "/ads/ad.html", name: "ad"), output: "/out/ad",
    device: DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName)!,
    placement: Placement(kind: .banner, size: Size(width: 320, height: 50)),
    scenario: Scenario(
      source: "s.yaml",
      steps: [
        step(.wait(.init(.seconds(1)))), step(.wait(.init(.event("ready", count: 1)))),
        step(.tap(.point(Point(x: 1, y: 1)))), step(.volume(1)), step(.scroll(to: 1)), step(.app(.days(1))),
        step(.screenshot("one")), step(.type(text: "x", into: .selector("#a"))),
        step(.expect([.event("ready", count: 1, detail: nil)])),
      ]),
    options: RenderOptions(
      network: NetworkPolicy(.public, allowed: ["10.0.0.0/8"]), idleTime: 1, measureTime: 1, date: 1,
      captures: CaptureSchedule(instants: [1], filmstrip: .init(interval: 1, length: 2)),
      film: FilmRequest(),
      traffic: TrafficOptions(.replay, folder: "/recording", profile: "3g", faults: ["status=503"])))

  private static func step(_ action: Scenario.Action) -> Scenario.Step { Scenario.Step(line: 1, action: action) }

  /// Place in a job, and the JSON that is put there.
  struct Change: Sendable, CustomTestStringConvertible {
    let path: [String]
    let value: JSONValue
    var testDescription: String { "\(path.joined(separator: ".")) = \(value.text.prefix(40))" }
  }

  private static func changes(_ path: String, _ values: [JSONValue]) -> [Change] {
    values.map { Change(path: path.split(separator: ".").map(String.init), value: $0) }
  }

  private static let long = JSONValue.string(String(repeating: "x", count: 5_000_000))
  private static let table: [(String, [JSONValue])] = [
    ("id", [-1, 1e15]),
    ("attempt", [0, -1, 1e9]),
    ("limits.memory", [-5, 0, 255, 65_537, 1e15]),
    ("limits.timeout", [-1, 0, 0.05, 3_601, 1e308]),
    ("device.screen.width", [-5, 0, 49, 4_097, 1e308]),
    ("device.screen.height", [-1, 0, 1e308]),
    ("device.scale", [0, -1, 0.5, 4.5, 1e308]),
    ("device.safeArea.top", [-1, 1e308]),
    ("device.safeAreaLandscape.right", [-1, 1e308]),
    ("device.userAgent", ["a\r\nb: c", long]),
    ("device.name", ["a\nb"]),
    ("device.platform", ["\u{0}", long]),
    ("placement.size.width", [-5, 0, 10_001, 1e308]),
    ("placement.size.height", [0, 1e308]),
    ("output", ["relative", "", "/a\u{0}b"]),
    ("creative.path", ["relative", "../../etc/passwd"]),
    ("creative.name", ["", "..", "a//b", "/a", "a/../b", "../../x", long]),
    ("options.idleTime", [-1, 1e308]),
    ("options.measureTime", [-1, 1e308]),
    ("options.date", [-1e300, 1e300]),
    ("options.network.allowed", [["x"], [long]]),
    ("options.captures.instants", [[-1], [1e308], .array(Array(repeating: 1, count: 51))]),
    ("options.captures.filmstrip.interval", [0, -1, 1e-300, 1e308]),
    ("options.captures.filmstrip.length", [-1, 1e308]),
    ("options.film.length", [0, -1, 1e308]),
    ("options.film.scale", [0, -1, 9, 1e15]),
    ("options.traffic.folder", ["relative"]),
    ("options.traffic.profile", [long]),
    ("options.traffic.faults", [.array(Array(repeating: "x", count: 1_001))]),
    ("scenario.steps.0.action.wait._0.timeout", [-1, 1e308]),
    ("scenario.steps.0.action.wait._0.condition.seconds._0", [-1, 1e308]),
    ("scenario.steps.1.action.wait._0.condition.event.count", [-1, 1e15]),
    ("scenario.steps.2.action.tap._0.point._0.x", [-1e9, 1e308]),
    ("scenario.steps.3.action.volume._0", [-1, 101, 1e308]),
    ("scenario.steps.4.action.scroll.to", [-1, 1e308]),
    ("scenario.steps.5.action.app._0.days._0", [-1, 1e308]),
    ("scenario.steps.6.action.screenshot._0", ["", "..", "../../../x", "/etc/passwd"]),
    ("scenario.steps.7.action.type.text", [long]),
    ("scenario.steps.8.action.expect._0.0.event.count", [-1, 1e15]),
    ("scenario.steps.0.line", [-1, 1e15]),
    ("warnings", [.array(Array(repeating: "x", count: 1_001))]),
  ]
  private static let changes = table.flatMap { changes($0.0, $0.1) }

  @Test func `a job within its bounds passes`() throws {
    try Self.job.validate()
    let json = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(Self.job))
    #expect(try JSONDecoder().decode(RenderJob.self, from: Data(json.text.utf8)) == Self.job)
    #expect(Self.changes.count >= 60)
  }

  @Test(arguments: changes) func `a value beyond its bounds is refused`(change: Change) throws {
    let json = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(Self.job))
    let changed = try #require(Self.changed(json, change.path[...], change.value), "there is no such place")
    let job = try JSONDecoder().decode(RenderJob.self, from: Data(changed.text.utf8))
    let fault = #expect(throws: Fault.self) { try job.validate() }
    #expect(fault?.code == "job-value-invalid")
    #expect(fault?.origin == .request)
  }

  @Test func `numbers that JSON doesn't have are refused as well`() {
    for number in [Double.nan, .infinity, -.infinity] {
      var job = Self.job
      job.limits.timeout = number
      #expect(throws: Fault.self) { try job.validate() }
      job = Self.job
      job.device.scale = number
      #expect(throws: Fault.self) { try job.validate() }
      job = Self.job
      job.placement.size = Size(width: number, height: 1)
      #expect(throws: Fault.self) { try job.validate() }
    }
  }

  @Test func `no number of a job traps before it is refused`() {
    for text in ["{\"limits\":{\"memory\":1e999}}", "{\"id\":1.5}", "{\"id\":99999999999999999999}", "[]", "null"] {
      #expect(throws: (any Error).self) { try JSONDecoder().decode(RenderJob.self, from: Data(text.utf8)) }
    }
  }

  private static func changed(_ json: JSONValue, _ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue? {
    guard let name = path.first else { return value }
    if case .object(var members) = json {
      guard let inner = members[name], let new = changed(inner, path.dropFirst(), value) else { return nil }
      members[name] = new
      return .object(members)
    }
    guard case .array(var elements) = json, let index = Int(name), elements.indices.contains(index),
      let new = changed(elements[index], path.dropFirst(), value)
    else { return nil }
    elements[index] = new
    return .array(elements)
  }
}
