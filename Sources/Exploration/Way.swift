internal import Core
internal import MRAID
internal import RenderModel

/// Parts that make a replayed step certain: waits for its effects, and the conditions that hold after it.
struct Way {
  let before: PageSnapshot?
  let after: PageSnapshot
  /// Events that were logged up to `after`.
  private let events: ArraySlice<Event>
  private let act: UserAction?

  /// Creates a way; `before` and `act` are nil for the creative's own actions after its load.
  init(from before: PageSnapshot?, to after: PageSnapshot, by act: UserAction?, events: [Event]) {
    self.before = before
    self.act = act
    self.after = after
    self.events = events.prefix(after.events)
  }

  /// Waits that end when the step has had its effect, whatever the machine's speed.
  var waits: [Scenario.Action] {
    var waits = stateWaits
    if let second = grown(.mraid, .ready, from: 1) { waits.append(wait(.mraid, .ready, count: second)) }
    if waits.isEmpty, let change = modalChange { waits.append(change) }
    if let gone = grown(.ad, .creativeDidUnload, from: 0) {
      waits.append(wait(.ad, .creativeDidUnload, count: gone))
    }
    return waits.isEmpty ? pageWaits : waits
  }

  /// Conditions that hold at the end, as expectations of a scenario.
  var expectations: [Scenario.Expectation] {
    var list: [Scenario.Expectation] = [.state(after.state)]
    for (source, name) in Self.expected {
      let count = count(source, name)
      if count > 0 { list.append(.event(Self.text(source, name), count: count, detail: nil)) }
    }
    if let open = events.last(where: { $0.source == .host && $0.isNamed(.open) }), after.opened != nil,
      let url = open.detail["url"]
    {
      list.append(.event(Self.text(.host, .open), count: nil, detail: .object(["url": url])))
    }
    if after.opened == nil { list += newTargets.prefix(3).map { .evaluate(Self.canBeSeen($0), true) } }
    if newTargets.isEmpty, after.opened == nil, let line = newLine { list.append(.evaluate(Self.reads(line), true)) }
    return list + filledIn
  }

  /// Events of which a scenario expects as many as there were.
  private static let expected: [(Event.Source, Event.Name)] = [
    (.modal, .push), (.modal, .popState), (.modal, .clearStates), (.mraid, .error),
  ]

  /// Expectations that typed values are still in their fields.
  private var filledIn: [Scenario.Expectation] {
    guard act?.kind == .type, after.opened == nil else { return [] }
    return after.fields.filter { field in field.isFilled && act?.fields.contains { $0.element == field.element } == true
    }
    .compactMap { field in field.selector.map { .evaluate(Self.holds($0), .string(field.entry)) } }
  }

  /// Indicates if a swipe or typing had no effect besides the engine's own: a list scrolled, a field filled.
  private var isTouchOnly: Bool {
    guard let before, let act else { return false }
    return switch act.kind {
    case .type: before.text == after.text
    case .swipe: act.surface?.isList == true && before.text == after.text
    case .tap, .play, .close, .rotate, .scroll, .background: false
    }
  }

  private var stateWaits: [Scenario.Action] {
    if after.state != before?.state ?? .default { return [wait(.state(after.state))] }
    return grown(.mraid, .stateChange, from: 1).map { [wait(.mraid, .stateChange, count: $0)] } ?? []
  }

  /// Wait for the last event of the modal stack; nil if there was none.
  private var modalChange: Scenario.Action? {
    let new = events.dropFirst(before?.events ?? 0)
    guard let last = new.last(where: { $0.source == .modal }) else { return nil }
    let name = Event.Name(rawValue: last.name)
    return wait(.modal, name, count: count(.modal, name))
  }

  /// Waits for a changed page: for an element that can be tapped now, else one second for any other change.
  private var pageWaits: [Scenario.Action] {
    if let selector = newTargets.first { return [wait(.visible(selector))] }
    // A swipe or typing step ends when the page has had all of it.
    if isTouchOnly { return [] }
    let isSame = before?.hasSamePage(as: after) ?? true
    return isSame ? [] : [.wait(Scenario.WaitCondition(.seconds(1), timeout: 6))]
  }

  /// Selectors of elements that can be tapped now and couldn't before.
  private var newTargets: [String] {
    guard let before else { return [] }
    let known = Set(before.targets.filter { $0.reach == .tappable }.map(\.element))
    return after.targets.filter { $0.reach == .tappable && $0.container == nil && !known.contains($0.element) }
      .compactMap(\.selector)
  }

  /// First line of text that is new, has no number, 2 to 80 characters, and isn't a frame's.
  private var newLine: String? {
    guard let before else { return nil }
    let known = Set(before.text.split(separator: "\n") + after.framedText.split(separator: "\n"))
    return after.text.split(separator: "\n").first { line in
      !known.contains(line) && (2...80).contains(line.count) && !line.contains(where: \.isNumber)
    }.map(String.init)
  }

  /// Returns the number of an event's occurrences so far; nil if it hasn't risen (from `start` without a snapshot).
  private func grown(_ source: Event.Source, _ name: Event.Name, from start: Int) -> Int? {
    let pattern = EventPattern(source: source, name: name.rawValue)
    let before = before.map { events.prefix($0.events).count(where: pattern.matches) } ?? start
    let now = count(source, name)
    return now > before ? now : nil
  }

  private func count(_ source: Event.Source, _ name: Event.Name) -> Int {
    events.count(where: EventPattern(source: source, name: name.rawValue).matches)
  }

  /// Returns an event's source and name as scenarios write them.
  private static func text(_ source: Event.Source, _ name: Event.Name) -> String {
    "\(source.rawValue)/\(name.rawValue)"
  }

  private func wait(_ source: Event.Source, _ name: Event.Name, count: Int) -> Scenario.Action {
    wait(.event(Self.text(source, name), count: count))
  }

  private func wait(_ condition: Scenario.WaitCondition.Condition) -> Scenario.Action {
    .wait(Scenario.WaitCondition(condition))
  }

  private static func canBeSeen(_ selector: String) -> String {
    "document.querySelector(\(JSONValue.string(selector).text))?.checkVisibility() === true"
  }

  private static func holds(_ selector: String) -> String {
    let element = "document.querySelector(\(JSONValue.string(selector).text))"
    return "((e) => e.selectedOptions?.[0].label ?? e.value ?? e.textContent)(\(element))"
  }

  private static func reads(_ line: String) -> String {
    "document.body.innerText.replace(/\\s+/g, \" \").includes(\(JSONValue.string(line).text))"
  }
}
