internal import Core
internal import Device
internal import MRAID
internal import RenderModel

/// Content of the page: the steps so far, and the state of the ad after them.
struct PlayScene: Encodable, Sendable {
  /// A step and its result.
  struct Step: Encodable, Sendable {
    /// Text of the step as in a scenario.
    let text: String
    /// Milliseconds from the begin of the load to the step; nil until it was carried out.
    var start: Double?
    var end: Double?
    var failure: String?
    /// Selectors that could have been meant by one that matched nothing.
    var candidates: [String]?
  }
  /// A line of the log.
  struct Line: Encodable, Sendable {
    let t: Double
    let source: String
    let name: String
    /// Details as JSON, cut at a maximum length; empty for none.
    let detail: String
  }
  /// Element that can be tapped, filled in or moved, in dip of the screen.
  struct Spot: Encodable, Sendable {
    let label: String
    let frame: Rect
    /// Text of the step that a tap on it adds.
    let step: String
    /// Indicates if the user fills it in with a text.
    var isField = false
  }

  /// Number of the scene; rises with each change.
  var number = 0
  let creative: String
  let device: String
  /// Size of the screen in dip, in its present orientation.
  var width: Double
  var height: Double
  var steps: [Step]
  /// Indicates if a render is in progress, so that the screenshot is still of the previous steps.
  var isRendering = true
  /// Reason for which the last render didn't complete; nil if it did.
  var failure: String?
  /// Address of the screenshot relative to the page's own; nil while there is none.
  var picture: String?
  /// MRAID's state; `modals` has the kinds of the modal stack, bottom first.
  var state: String?
  var modals: [String] = []
  /// Address of the page that the host's browser shows.
  var opened: String?
  var spots: [Spot] = []
  var log: [Line] = []
  var warnings: [String] = []
  /// Duration of the last render in milliseconds; nil before the first.
  var took: Double?
  /// Text of the steps as a scenario file.
  var scenario = ""
  /// Indicates if the scenario's file has the same steps.
  var isSaved = true
  /// Path of the file to which the steps were last saved; nil before the first save.
  var savedTo: String?
  /// Names of the files whose change caused the latest render; empty if a change of the steps did.
  var changed: [String] = []
}

extension PlayScene {
  /// Maximum numbers of log lines and of spots on a page, and of characters in a line's detail.
  private static let (mostLines, mostSpots, longestDetail) = (600, 300, 400)

  /// Updates the scene from the result of a render, whose files are in `folder`.
  mutating func take(_ record: RenderRecord, in folder: String) {
    let result = ResultFolder(folder)
    let seen = result.readObservations().last
    isRendering = false
    failure = record.outcome == .completed ? nil : record.message ?? "the render failed"
    for (index, step) in (record.steps ?? []).enumerated() where steps.indices.contains(index) {
      (steps[index].start, steps[index].end) = (step.start, step.end)
      (steps[index].failure, steps[index].candidates) = (step.failure, step.candidates)
    }
    picture = record.screenshots.last?.path
    state = seen?.state.rawValue ?? record.states.last?.rawValue
    modals = seen?.modals ?? []
    opened = seen?.opened
    if let orientation = seen?.orientation, (orientation == .landscape) != (width > height) {
      swap(&width, &height)
    }
    spots = seen.map(Self.spots) ?? []
    log = result.log.events().suffix(Self.mostLines).map(Self.line)
    warnings = record.warnings
    took = record.timings["total"]
  }

  private static func line(_ event: Event) -> Line {
    let detail = event.detail == .object([:]) ? "" : String(event.detail.text.prefix(longestDetail))
    return Line(t: event.t, source: event.source.rawValue, name: event.name, detail: detail)
  }

  /// Returns the elements that a user can act on, the smallest last, so that it lies above the ones around it.
  private static func spots(_ seen: PageSnapshot) -> [Spot] {
    var spots = seen.targets.filter { $0.reach == .tappable }.map { target in
      // Who taps a field means to fill it in.
      let field = seen.fields.first { $0.selector != nil && $0.selector == target.selector }
      let step = field.map(entering) ?? .tap(target.selector.map(Scenario.Target.selector) ?? .point(target.point))
      return Spot(
        label: target.label.isEmpty ? target.element : target.label, frame: target.frame, step: step.text ?? "",
        isField: field?.kind == .text)
    }
    let tappable = Set(seen.targets.compactMap(\.selector))
    spots += seen.fields.filter { $0.selector.map(tappable.contains) != true }.map { field in
      let size = 24.0
      let frame = Rect(x: field.point.x - size / 2, y: field.point.y - size / 2, width: size, height: size)
      return Spot(label: field.element, frame: frame, step: entering(field).text ?? "", isField: field.kind == .text)
    }
    if let close = seen.close { spots.append(Spot(label: "close control", frame: close, step: "close")) }
    let sorted = spots.sorted { $0.frame.width * $0.frame.height > $1.frame.width * $1.frame.height }
    return Array(sorted.suffix(mostSpots))
  }

  /// Returns the step that fills a field in.
  private static func entering(_ field: EntryField) -> Scenario.Action {
    let target = field.selector.map(Scenario.Target.selector) ?? .point(field.point)
    return field.kind == .choice
      ? .choose(option: field.entry, from: target) : .type(text: field.entry, into: target)
  }
}
