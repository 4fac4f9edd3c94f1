internal import Core
internal import MRAID
internal import RenderModel

/// Events of a render on one time axis, with a point in time or with beginning and end.
struct Timeline: Hashable, Sendable {
  /// Kind of events on a lane.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    case steps, states, modals, calls, notices, app, requests, console, processor

    /// Title of the lane.
    var title: String {
      switch self {
      case .steps: "Steps"
      case .states: "State"
      case .modals: "Modals"
      case .calls: "MRAID calls"
      case .notices: "MRAID events"
      case .app: "Host and input"
      case .requests: "Requests"
      case .console: "Console"
      case .processor: "Processor"
      }
    }
  }
  /// Mark on a lane; without a duration it ends where it begins. Times are milliseconds since the load began.
  struct Span: Hashable, Sendable {
    let start: Double
    let end: Double
    let label: String
    var isBad = false
    /// Row of the lane, for spans that overlap.
    var row = 0
    /// Number of the event in the log; nil for others.
    var event: Int?
    /// Processor load from 0 to 1; nil for spans of other lanes.
    var level: Double?
  }
  struct Lane: Hashable, Sendable {
    let kind: Kind
    let spans: [Span]

    var rows: Int { (spans.map(\.row).max() ?? 0) + 1 }
  }
  /// Time of a screenshot.
  struct Moment: Hashable, Sendable {
    let t: Double
    /// Index of the screenshot in the record.
    let index: Int
  }

  /// End of the axis in milliseconds; it begins at 0.
  let end: Double
  /// Lanes that have spans, in the order of `Kind`.
  let lanes: [Lane]
  let moments: [Moment]

  init(record: RenderRecord, events: [Event], requests: [NetworkRequest], measurements: Measurements? = nil) {
    let shots = record.screenshots.map { Self.time($0.t) }
    let last = [
      events.map(\.t).max(), shots.max(), requests.map(\.end).max(), measurements?.heavyAd.samples.map(\.t).max(),
      record.transitions.map(\.t).max(), record.steps?.map(\.end).max(),
    ].compactMap { $0.map(Self.time) }.max()
    let end = max(1, last ?? 1)
    let spans: (Kind) -> [Span] = { kind in
      switch kind {
      case .steps: Self.steps(record)
      case .states: Self.states(record, until: end)
      case .modals: ModalSpans(events, until: end).spans
      case .calls, .notices, .app, .console: Self.instants(events, of: kind)
      case .requests: Self.requests(requests)
      case .processor: Self.processor(measurements)
      }
    }
    self.end = end
    lanes = Kind.allCases.map { Lane(kind: $0, spans: spans($0)) }.filter { !$0.spans.isEmpty }
    moments = shots.enumerated().map { Moment(t: $0.element, index: $0.offset) }.sorted { $0.t < $1.t }
  }

  /// Returns the last picture of the screen at a time, or the first picture before that; nil if there are no pictures.
  func moment(at t: Double) -> Moment? { moments.last { $0.t <= t } ?? moments.first }

  /// Returns a time from an untrusted document limited to the range from 0 to one day.
  static func time(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), 86_400_000) : 0 }
}

extension Timeline {
  private static func steps(_ record: RenderRecord) -> [Span] {
    (record.steps ?? []).map { step in
      Span(
        start: time(step.start), end: max(time(step.start), time(step.end)), label: "line \(step.line): \(step.text)",
        isBad: step.failure != nil)
    }
  }

  private static func states(_ record: RenderRecord, until end: Double) -> [Span] {
    let changes = record.transitions
    return changes.indices.map { index in
      let next = index + 1 < changes.count ? time(changes[index + 1].t) : end
      let start = time(changes[index].t)
      return Span(start: start, end: max(start, next), label: changes[index].to.rawValue)
    }
  }

  private static func instants(_ events: [Event], of kind: Kind) -> [Span] {
    events.filter { $0.lane == kind }.map {
      Span(start: time($0.t), end: time($0.t), label: $0.told, isBad: $0.isTrouble, event: $0.seq)
    }
  }

  /// Returns the spans of requests, each in the first row that is free when it begins.
  private static func requests(_ requests: [NetworkRequest]) -> [Span] {
    /// Maximum number of rows, which keeps the lane's height readable.
    let most = 12
    var ends: [Double] = []
    return requests.sorted { $0.start < $1.start }.map { request in
      let (start, end) = (time(request.start), max(time(request.start), time(request.end)))
      let row = ends.firstIndex { $0 <= start } ?? (ends.count < most ? ends.count : most - 1)
      if row < ends.count { ends[row] = max(ends[row], end) } else { ends.append(end) }
      return Span(
        start: start, end: end, label: ReportText.cut(ReportText.line(request.url), to: 160),
        isBad: request.failure != nil || request.status >= 400, row: row)
    }
  }

  /// Returns the share of time for which a processor was busy between each two samples.
  private static func processor(_ measurements: Measurements?) -> [Span] {
    let samples = measurements?.heavyAd.samples ?? []
    return zip(samples, samples.dropFirst()).compactMap { before, after in
      let (start, end) = (time(before.t), time(after.t))
      guard end > start, after.seconds > before.seconds else { return nil }
      let level = min(1, (after.seconds - before.seconds) * 1000 / (end - start))
      let percent = Bounded.int((level * 100).rounded(), in: 0...100)
      return Span(start: start, end: end, label: "\(percent) % of a processor", level: level)
    }
  }
}

/// Modals above the ad, one span each, with the depth as the row.
private struct ModalSpans {
  private(set) var spans: [Timeline.Span] = []

  init(_ events: [Event], until end: Double) {
    var open: [(name: String, start: Double, event: Int)] = []
    for event in events where event.source == .modal {
      let t = Timeline.time(event.t)
      let depth = Bounded.int(event.detail["depth"]?.number ?? 0, in: 0...64)
      while open.count > depth || (event.isNamed(.push) && open.count == depth && depth > 0) { close(&open, at: t) }
      if event.isNamed(.push) {
        open.append((event.detail["top"]?.string ?? "modal", t, event.seq))
      }
    }
    while !open.isEmpty { close(&open, at: end) }
    spans.sort { $0.start < $1.start }
  }

  private mutating func close(_ open: inout [(name: String, start: Double, event: Int)], at t: Double) {
    guard let top = open.popLast() else { return }
    spans.append(
      Timeline.Span(start: top.start, end: max(top.start, t), label: top.name, row: open.count, event: top.event))
  }
}

extension Event {
  /// Lane that shows the event as a point in time; nil if another lane shows it as a span.
  fileprivate var lane: Timeline.Kind? {
    switch source {
    case .creative: .calls
    case .playable: isNamed(.sent) ? .notices : .calls
    case .mraid: .notices
    case .ad, .vast, .omid, .simid, .feed, .host, .input: .app
    case .page: .console
    case .modal, .network: nil
    }
  }

  /// Indicates if the event is an error, an uncaught exception or a violation of a content security policy.
  fileprivate var isTrouble: Bool {
    switch (source, Event.Name(rawValue: name)) {
    case (.mraid, .error), (.page, .exception), (.page, .rejection), (.page, .violation): true
    case (.page, .console): detail["level"]?.string == "error"
    default: false
    }
  }

  /// Name and detail of the event on one line.
  fileprivate var told: String {
    let detail = EventDetail.text(detail)
    return ReportText.cut(
      detail.isEmpty ? "\(source.rawValue) \(name)" : "\(source.rawValue) \(name): \(detail)", to: 160)
  }
}
