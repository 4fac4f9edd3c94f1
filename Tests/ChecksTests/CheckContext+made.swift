import Checks
import Core
import Device
import RenderModel

/// Creates an event without a number; the evidence numbers them.
func event(_ source: Event.Source, _ name: String, _ detail: JSONValue = .object([:])) -> Event {
  Event(seq: 0, t: 0, source: source, name: name, detail: detail)
}

/// Creates the event of a creative's call in the default state.
func call(_ name: String, _ arguments: JSONValue..., gesture: Bool = false, state: String = "default") -> Event {
  event(
    .creative, name, ["arguments": .array(arguments), "gesture": .bool(gesture), "state": .string(state)])
}

/// Creates a request of the page.
func resource(
  _ url: String, status: Int = 200, type: String = "image/png", bytes: Int = 100, start: Double = 0,
  failure: String? = nil,
  headers: [MeasuredResource.Header] = []
) -> MeasuredResource {
  MeasuredResource(
    url: url, origin: url.hasPrefix("creative:") ? .creative : .network, status: status, type: type, start: start,
    encoded: bytes, failure: failure, responseHeaders: headers)
}

extension CheckContext {
  /// Creates the evidence of a completed render of a 300×250 banner with these events.
  static func made(
    _ events: [Event] = [], files: [Inventory.File]? = nil, kind: String = "folder", packed: Int? = nil,
    name: String = "ad", explored: ExploredStates? = nil, resources: [MeasuredResource]? = nil,
    profiles: [Profile] = [], tried: [Journey] = [], change: (inout CheckContext) -> Void = { _ in }
  ) -> CheckContext {
    let log = [event(.host, "load")] + events
    let numbered = log.enumerated().map { Event(seq: $0, t: $1.t, source: $1.source, name: $1.name, detail: $1.detail) }
    var context = CheckContext(
      record: .made(), journeys: [Journey(events: numbered)] + tried,
      inventory: files.map { Inventory(kind: kind, name: name, packed: packed, files: $0) },
      exploration: explored, measurements: resources.map(Measurements.made), profiles: profiles)
    change(&context)
    return context
  }
}

extension RenderRecord {
  /// Creates the record of a completed render on a phone.
  static func made() -> RenderRecord {
    RenderRecord(
      creative: Creative(path: "ad", kind: "folder"),
      device: DeviceSummary(name: "phone", width: 393, height: 852, scale: 3, renderScale: 3),
      placement: PlacementSummary(kind: .banner, width: 300, height: 250, position: .center), outcome: .completed)
  }
}

extension Measurements {
  /// Creates measurements of a page with its load event at 1000 ms, DOMContentLoaded at 500 and complete at 900.
  static func made(_ resources: [MeasuredResource]) -> Measurements {
    Measurements(
      clock: .real,
      load: LoadBoundary.all(domContentLoaded: 500, windowLoad: 1000, complete: 900, dividing: resources),
      resources: resources, heavyAd: HeavyAdBudget(resources: resources, samples: [], activation: nil, end: 1000))
  }
}

extension Profile {
  /// Creates a profile of a network, in a container of its own or none, with one rule that has parameters.
  static func network(_ check: String, in container: String? = nil, change: (inout Rule) -> Void) -> Profile {
    var profile = network(check)
    profile.container = container
    change(&profile.rules[0])
    return profile
  }

  /// Creates a profile of a network with one rule.
  static func network(_ check: String, limit: Double? = nil, except: [String]? = nil, severity: Severity? = nil)
    -> Profile
  {
    Profile(
      id: "net", title: "Net",
      rules: [
        Rule(
          check: check, limit: limit, except: except, severity: severity, note: "its rule",
          source: Citation(title: "Net", url: "https://net.example/"))
      ])
  }
}

extension Inventory.File {
  /// Creates the document with this in its body.
  static func document(_ body: String) -> Inventory.File {
    Inventory.File(path: "index.html", text: "<body>\(body)</body>")
  }
}
