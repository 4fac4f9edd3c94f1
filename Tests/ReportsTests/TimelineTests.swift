import Checks
import Core
import MRAID
import RenderModel
import Testing

@testable import Reports

@Suite("The timeline of a render")
struct TimelineTests {
  private let record = Sample.record("fine", .passed)

  private func timeline(
    _ events: [Event] = [], record: RenderRecord? = nil, measurements: Measurements? = nil
  ) -> Timeline {
    Timeline(
      record: record ?? self.record, events: events, requests: NetworkRequest.all(measurements, events),
      measurements: measurements)
  }

  private func spans(_ kind: Timeline.Kind, of timeline: Timeline) -> [Timeline.Span] {
    timeline.lanes.first { $0.kind == kind }?.spans ?? []
  }

  private func event(_ seq: Int, _ t: Double, _ source: Event.Source, _ name: String, _ detail: JSONValue = [:])
    -> Event
  {
    Event(seq: seq, t: t, source: source, name: name, detail: detail)
  }

  @Test("it ends with the last of anything, and is never empty")
  func end() {
    #expect(timeline().end == 1100)
    #expect(timeline(Sample.events).end == 1100)
    #expect(timeline([event(0, 1_700, .host, "load")]).end == 1_700)
    var bare = record
    (bare.screenshots, bare.transitions) = ([], [])
    #expect(timeline(record: bare).end == 1)
    #expect(timeline(record: bare).lanes.isEmpty)
  }

  @Test("a state lasts until the next, the last to the end")
  func states() {
    let spans = spans(.states, of: timeline())
    #expect(spans.map(\.label) == ["default", "expanded"])
    #expect(spans.map(\.start) == [100, 900])
    #expect(spans.map(\.end) == [900, 1100])
  }

  @Test("a modal lies in the row of its depth until it is gone")
  func modals() {
    let timeline = timeline([
      event(0, 100, .modal, "push", ["depth": 1, "top": "expanded"]),
      event(1, 300, .modal, "push", ["depth": 2, "top": "browser"]),
      event(2, 500, .modal, "popState", ["depth": 1, "removed": ["browser"], "top": "expanded"]),
      event(3, 700, .modal, "push", ["depth": 2, "top": "video"]),
      event(4, 800, .modal, "popState", ["depth": 0]),
      event(5, 1_000, .modal, "push", ["depth": 1, "top": "resized"]),
      event(6, 1_050, .modal, "push", ["depth": 1, "top": "again"]),
    ])
    let spans = spans(.modals, of: timeline)
    #expect(spans.map(\.label) == ["expanded", "browser", "video", "resized", "again"])
    #expect(spans.map(\.start) == [100, 300, 700, 1_000, 1_050])
    #expect(spans.map(\.end) == [800, 500, 800, 1_050, 1_100])
    #expect(spans.map(\.row) == [0, 1, 1, 0, 0])
  }

  @Test("calls, events and the console are instants on lanes of their own, trouble marked")
  func instants() {
    let timeline = timeline([
      event(0, 10, .creative, "expand"), event(1, 20, .mraid, "error"), event(2, 30, .input, "tap"),
      event(3, 40, .page, "exception"), event(4, 50, .page, "console", ["level": "error"]),
      event(5, 60, .page, "console", ["level": "log"]), event(6, 70, .page, "violation"),
    ])
    #expect(spans(.calls, of: timeline).map(\.event) == [0])
    #expect(spans(.notices, of: timeline).map(\.isBad) == [true])
    #expect(spans(.app, of: timeline).map(\.start) == [30])
    #expect(spans(.console, of: timeline).map(\.isBad) == [true, true, false, true])
    #expect(timeline.lanes.map(\.kind) == [.states, .calls, .notices, .app, .console])
  }

  @Test("requests that go on at once lie in rows, and never in more than a lane shows")
  func requests() {
    let times = [(0, 100), (10, 50), (60, 90), (95, 120), (100, 130)]
    let events = times.enumerated().map { index, time in
      event(
        index, 1, .network, "resource",
        [
          "url": .string("https://a.example/\(index)"), "status": index == 2 ? 404 : 200,
          "timing": ["start": .number(Double(time.0)), "end": .number(Double(time.1))],
        ])
    }
    let spans = spans(.requests, of: timeline(events))
    #expect(spans.map(\.row) == [0, 1, 1, 1, 0])
    #expect(spans.map(\.isBad) == [false, false, true, false, false])
    let many = (0..<40).map {
      event($0, 1, .network, "resource", ["url": "x", "status": 200, "timing": ["start": 0, "end": 1_000]])
    }
    #expect(self.spans(.requests, of: timeline(many)).map(\.row).max() == 11)
  }

  @Test("steps have line, text and duration; one that failed is marked")
  func steps() {
    var record = record
    record.steps = [
      .init(line: 4, text: "close", start: 100, end: 130),
      .init(line: 9, text: "tap: \"#x\"", start: 130, end: 90, failure: "nothing"),
    ]
    let spans = spans(.steps, of: timeline(record: record))
    #expect(spans.map(\.label) == ["line 4: close", "line 9: tap: \"#x\""])
    #expect(spans.map(\.isBad) == [false, true])
    #expect(spans[1].end == 130, "no step ends before it begins")
  }

  @Test("the processor is told by how busy it was from sample to sample")
  func processor() {
    var measurements = Sample.measurements
    measurements.heavyAd.samples = [
      ProcessorSample(t: 100, seconds: 0.1), ProcessorSample(t: 300, seconds: 0.2),
      ProcessorSample(t: 400, seconds: 0.2),
      ProcessorSample(t: 500, seconds: 0.9),
    ]
    let spans = spans(.processor, of: timeline(measurements: measurements))
    #expect(spans.map(\.label) == ["50 % of a processor", "100 % of a processor"])
    #expect(spans.map(\.start) == [100, 400])
  }

  @Test("an instant has the picture that was taken last before it, and the first before any")
  func moments() {
    let timeline = timeline()
    #expect([0, 400, 1_099, 1_100, 9_000].map { timeline.moment(at: $0)?.index } == [0, 0, 0, 1, 1])
  }

  @Test("times that no axis can have are brought onto it")
  func wild() {
    let timeline = timeline([event(0, .infinity, .creative, "expand"), event(1, -5, .creative, "close")])
    #expect(spans(.calls, of: timeline).map(\.start) == [0, 0])
    #expect(self.timeline([event(0, 1e300, .creative, "expand")]).end == 86_400_000)
  }
}
