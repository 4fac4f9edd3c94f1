internal import Core
internal import MRAID
internal import RenderModel

/// A render on one axis: everything that happened, with its instant or its beginning and end.
struct Timeline: Hashable, Sendable {
  /// What a lane is about.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    case steps, states, modals, calls, notices, app, requests, console, processor

    /// For readers.
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
  /// Something on a lane; what has no duration ends where it begins. Times are milliseconds since the load began.
  struct Span: Hashable, Sendable {
    let start: Double
    let end: Double
    let label: String
    var isBad = false
    /// The row, where several go on at once.
    var row = 0
    /// The number of its event in the log.
    var event: Int?
    /// How much of a processor it took, from 0 to 1.
    var level: Double?
  }
  struct Lane: Hashable, Sendable {
    let kind: Kind
    let spans: [Span]

    var rows: Int { (spans.map(\.row).max() ?? 0) + 1 }
  }
  /// A picture and what it is of.
  struct Moment: Hashable, Sendable {
    let t: Double
    /// Which of the record's screenshots it is.
    let index: Int
  }

  /// Where the axis ends; it begins at 0.
  let end: Double
  /// Those with something on them, in the order of `Kind`.
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

  /// The picture that the screen showed last at an instant; the first before there was any.
  func moment(at t: Double) -> Moment? { moments.last { $0.t <= t } ?? moments.first }

  /// A time of a document from anywhere, so that nothing is drawn beyond what a page can show.
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

  /// Each in the first row that is free when it begins.
  private static func requests(_ requests: [NetworkRequest]) -> [Span] {
    /// A lane with more is too high to be looked at.
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

  /// From each sample to the next, how much of the time a processor was busy.
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

/// What lay above the ad, one span for each modal, its row the depth it lay at.
private struct ModalSpans {
  private(set) var spans: [Timeline.Span] = []

  init(_ events: [Event], until end: Double) {
    var open: [(name: String, start: Double, event: Int)] = []
    for event in events where event.source == .modal {
      let t = Timeline.time(event.t)
      let depth = Bounded.int(event.detail["depth"]?.number ?? 0, in: 0...64)
      while open.count > depth || (event.name == "push" && open.count == depth && depth > 0) { close(&open, at: t) }
      if event.name == "push" {
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
  /// Which lane shows it as an instant; nil for what another lane tells as a span.
  fileprivate var lane: Timeline.Kind? {
    switch source {
    case .creative: .calls
    case .mraid: .notices
    case .ad, .vast, .omid, .simid, .feed, .host, .input: .app
    case .page: .console
    case .modal, .network: nil
    }
  }

  /// Whether it is what somebody looks for who asks what went wrong.
  fileprivate var isTrouble: Bool {
    switch (source, name) {
    case (.mraid, "error"), (.page, "exception"), (.page, "rejection"), (.page, "policyViolation"): true
    case (.page, "console"): detail["level"]?.string == "error"
    default: false
    }
  }

  /// Name and detail in a line.
  fileprivate var told: String {
    let detail = EventDetail.text(detail)
    return ReportText.cut(
      detail.isEmpty ? "\(source.rawValue) \(name)" : "\(source.rawValue) \(name): \(detail)", to: 160)
  }
}
