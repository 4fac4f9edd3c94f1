internal import Core
internal import Device
internal import MRAID
internal import RenderModel

/// What the page shows: the steps so far, and what the ad is like after them.
struct PlayScene: Encodable, Sendable {
  /// A step, and how it went.
  struct Step: Encodable, Sendable {
    /// As a scenario has it.
    let text: String
    /// Milliseconds since the load began; nil until it was carried out.
    var start: Double?
    var end: Double?
    var failure: String?
    /// What a selector that matched nothing could have meant.
    var candidates: [String]?
  }
  /// A line of the log.
  struct Line: Encodable, Sendable {
    let t: Double
    let source: String
    let name: String
    /// As JSON, cut; empty for none.
    let detail: String
  }
  /// Something that can be tapped, filled in or moved, in dip of the screen.
  struct Spot: Encodable, Sendable {
    let label: String
    let frame: Rect
    /// The step that a tap on it adds.
    let step: String
    /// Whether it is filled in with a text of the person's.
    var isField = false
  }

  /// Rises with each change.
  var number = 0
  let creative: String
  let device: String
  /// The screen in dip, as it is held.
  var width: Double
  var height: Double
  var steps: [Step]
  /// Whether the picture is of what was before, and the one to come is being made.
  var isRendering = true
  /// Why it couldn't be rendered to its end.
  var failure: String?
  /// The picture's address below the page's own; nil while there is none.
  var picture: String?
  /// MRAID's state, and the kinds of the modal stack, bottom first.
  var state: String?
  var modals: [String] = []
  /// The page that a browser shows.
  var opened: String?
  var spots: [Spot] = []
  var log: [Line] = []
  var warnings: [String] = []
  /// How long it took, in milliseconds.
  var took: Double?
  /// The steps as a scenario's file.
  var scenario = ""
  /// Whether the file says the same.
  var isSaved = true
  /// Which files changed and had it rendered again.
  var changed: [String] = []
}

extension PlayScene {
  /// Lines of a log and spots that a page is shown, and letters of a detail.
  private static let (mostLines, mostSpots, longestDetail) = (600, 300, 400)

  /// Takes in what a render left; its pictures are below `folder`.
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

  /// What a person could do, the smallest last, so that it lies over what is around it.
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

  /// The step that fills a field in.
  private static func entering(_ field: EntryField) -> Scenario.Action {
    let target = field.selector.map(Scenario.Target.selector) ?? .point(field.point)
    return field.kind == .choice
      ? .choose(option: field.entry, from: target) : .type(text: field.entry, into: target)
  }
}
