internal import Core
internal import FoundationEssentials
internal import RenderModel

/// Pictures in a viewer's form: frames of its strip, and for each action pages that show one before and after it.
struct TracePictures {
  private(set) var lines: [JSONValue] = []
  private let record: RenderRecord
  private let timeline: Timeline
  /// Number of the earlier snapshot that contains the picture's node, by the picture's index in the record.
  private var nodes: [Int: Int] = [:]
  private var count = 0

  init(record: RenderRecord, timeline: Timeline, actions: [TraceAction], store: inout TraceStore) {
    (self.record, self.timeline) = (record, timeline)
    for moment in timeline.moments { addFrame(moment, &store) }
    for action in actions where !action.isCall {
      for phase in TracePhase.allCases where phase != .input || action.point != nil {
        if let index = picture(of: action, phase) { addSnapshot(of: action, phase, index, &store) }
      }
    }
  }

  private mutating func addFrame(_ moment: Timeline.Moment, _ store: inout TraceStore) {
    let shot = record.screenshots[moment.index]
    guard let file = store.take(shot.path) else { return }
    let size = size(of: shot)
    lines.append([
      "type": "screencast-frame", "pageId": .string(TraceLine.page), "sha1": .string(file),
      "width": .number(size.width), "height": .number(size.height), "timestamp": TraceLine.time(moment.t),
    ])
  }

  /// Returns the index of the picture that shows a phase best; nil before the first picture.
  private func picture(of action: TraceAction, _ phase: TracePhase) -> Int? {
    if let index = action.shows { return phase == .after ? index : nil }
    let before = timeline.moments.last { $0.t <= action.start }
    guard phase == .after else { return before?.index }
    // What is taken of a load, and of a failure, is taken once it is over.
    if action.method == "load" { return timeline.moments.first?.index }
    if action.failure != nil { return timeline.moments.last?.index }
    return (timeline.moments.last { $0.t <= action.end } ?? before)?.index
  }

  private mutating func addSnapshot(
    of action: TraceAction, _ phase: TracePhase, _ index: Int, _ store: inout TraceStore
  ) {
    let shot = record.screenshots[index]
    let size = size(of: shot)
    guard let html = node(of: index, size, &store) else { return }
    lines.append([
      "type": "frame-snapshot",
      "snapshot": [
        "callId": .string(action.id), "snapshotName": .string(action.snapshot(phase)),
        "pageId": .string(TraceLine.page), "frameId": .string(TraceLine.frame),
        "frameUrl": .string(ReportText.line(record.creative.path)), "doctype": "html", "html": html,
        "viewport": ["width": .number(size.width), "height": .number(size.height)],
        "timestamp": TraceLine.time(phase == .after ? action.end : action.start), "collectionTime": 0,
        "resourceOverrides": [], "isMainFrame": true,
      ],
    ])
    count += 1
  }

  /// Returns a page that contains the picture, or a reference to an earlier snapshot that has it already.
  private mutating func node(of index: Int, _ size: (width: Double, height: Double), _ store: inout TraceStore)
    -> JSONValue?
  {
    // Nodes are numbered children first: a style's text, the style, the head, the picture, the body, the page.
    if let frame = nodes[index] { return [[.number(Double(count - frame)), 5]] }
    guard let bytes = store.read(record.screenshots[index].path) else { return nil }
    nodes[index] = count
    let style = "html,body{margin:0;background:#000}img{display:block;width:\(size.width.plain)px}"
    return [
      "HTML", [:], ["HEAD", [:], ["STYLE", [:], .string(style)]],
      [
        "BODY", [:],
        [
          "IMG",
          [
            "src": .string("data:image/png;base64," + Data(bytes).base64EncodedString()),
            "alt": .string(ReportText.line(record.screenshots[index].name)),
          ],
        ],
      ],
    ]
  }

  /// Returns the size of a screenshot in dips.
  private func size(of shot: RenderRecord.Screenshot) -> (width: Double, height: Double) {
    let scale = Double(max(1, record.device.renderScale))
    return (Double(shot.width) / scale, Double(shot.height) / scale)
  }
}
