internal import Core
internal import MRAID
internal import RenderModel

/// What makes a step of a replay certain: waits for what came of it, and what holds once it is done.
struct Way {
  let before: PageSnapshot?
  let after: PageSnapshot
  /// All that was logged up to `after`.
  private let events: ArraySlice<Event>
  private let act: UserAction?

  /// `before` and `act` are nil for the creative's own doing after its load.
  init(from before: PageSnapshot?, to after: PageSnapshot, by act: UserAction?, events: [Event]) {
    self.before = before
    self.act = act
    self.after = after
    self.events = events.prefix(after.events)
  }

  /// Waits that end when the step has had its effect, whatever the machine's pace.
  var waits: [Scenario.Action] {
    var waits = stateWaits
    if let second = grown("mraid/ready", from: 1) { waits.append(wait(.event("mraid/ready", count: second))) }
    if waits.isEmpty, let change = modalChange { waits.append(change) }
    if let gone = grown("ad/creativeDidUnload", from: 0) {
      waits.append(wait(.event("ad/creativeDidUnload", count: gone)))
    }
    return waits.isEmpty ? pageWaits : waits
  }

  /// What holds at the end, for scenarios that prove it.
  var expectations: [Scenario.Expectation] {
    var list: [Scenario.Expectation] = [.state(after.state)]
    for name in ["modal/push", "modal/popState", "modal/clearStates", "mraid/error"] {
      let count = count(name)
      if count > 0 { list.append(.event(name, count: count, detail: nil)) }
    }
    if let open = events.last(where: { $0.source == .host && $0.name == "open" }), after.opened != nil,
      let url = open.detail["url"]
    {
      list.append(.event("host/open", count: nil, detail: .object(["url": url])))
    }
    if after.opened == nil { list += newTargets.prefix(3).map { .evaluate(Self.canBeSeen($0), true) } }
    if newTargets.isEmpty, after.opened == nil, let line = newLine { list.append(.evaluate(Self.reads(line), true)) }
    return list + filledIn
  }

  /// What was typed is still there.
  private var filledIn: [Scenario.Expectation] {
    guard act?.kind == .type, after.opened == nil else { return [] }
    return after.fields.filter { field in field.isFilled && act?.fields.contains { $0.element == field.element } == true
    }
    .compactMap { field in field.selector.map { .evaluate(Self.holds($0), .string(field.entry)) } }
  }

  /// Whether all that came of a swipe or of typing is what the engine itself makes of it.
  private var isTouchOnly: Bool {
    guard let before, let act else { return false }
    return switch act.kind {
    case .type: before.text == after.text
    case .swipe: act.surface?.isList == true && before.text == after.text
    case .tap, .close, .rotate, .scroll, .background: false
    }
  }

  private var stateWaits: [Scenario.Action] {
    if after.state != before?.state ?? .default { return [wait(.state(after.state))] }
    return grown("mraid/stateChange", from: 1).map { [wait(.event("mraid/stateChange", count: $0))] } ?? []
  }

  /// The last thing that happened to the modal stack, if anything did.
  private var modalChange: Scenario.Action? {
    let new = events.dropFirst(before?.events ?? 0)
    guard let last = new.last(where: { $0.source == .modal }) else { return nil }
    return wait(.event("modal/\(last.name)", count: count("modal/\(last.name)")))
  }

  /// When only the page changed: what can be tapped now, else a second for whatever it was.
  private var pageWaits: [Scenario.Action] {
    if let selector = newTargets.first { return [wait(.visible(selector))] }
    // A swipe or typing step ends when the page has had all of it.
    if isTouchOnly { return [] }
    let isSame = before?.hasSamePage(as: after) ?? true
    return isSame ? [] : [.wait(Scenario.WaitCondition(.seconds(1), timeout: 6))]
  }

  /// Selectors of what can be tapped now and couldn't before.
  private var newTargets: [String] {
    guard let before else { return [] }
    let known = Set(before.targets.filter { $0.reach == .tappable }.map(\.element))
    return after.targets.filter { $0.reach == .tappable && $0.container == nil && !known.contains($0.element) }
      .compactMap(\.selector)
  }

  /// The first line that is new, holds no number and is worth reading; frames' own lines the ad's document doesn't hold.
  private var newLine: String? {
    guard let before else { return nil }
    let known = Set(before.text.split(separator: "\n") + after.framedText.split(separator: "\n"))
    return after.text.split(separator: "\n").first { line in
      !known.contains(line) && (2...80).contains(line.count) && !line.contains(where: \.isNumber)
    }.map(String.init)
  }

  /// The count of an event by now, if more of them came than had come before.
  private func grown(_ name: String, from start: Int) -> Int? {
    guard let pattern = EventPattern(name) else { return nil }
    let before = before.map { events.prefix($0.events).count(where: pattern.matches) } ?? start
    let now = count(name)
    return now > before ? now : nil
  }

  private func count(_ name: String) -> Int {
    guard let pattern = EventPattern(name) else { return 0 }
    return events.count(where: pattern.matches)
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
