internal import Core
internal import MRAID
internal import RenderModel

/// Unusual observation that a user should look at; it doesn't affect any verdict.
package struct Anomaly: Hashable, Sendable {
  /// Stable codes, as they appear in the document.
  package enum Code: String, Sendable, Codable, CaseIterable {
    /// A tap on an element that claims to be tappable caused no call, event, change of the page or of the screenshot.
    case deadTap = "dead-tap"
    /// No swipe over an element that claims to be movable had an effect.
    case deadSwipe = "dead-swipe"
    /// A field doesn't accept the text that is typed into it.
    case deadField = "dead-field"
    /// A state, not the first, can't be left by any of the acts tried there.
    case noWayOut = "no-way-out"
    /// A close control can't be reached: the creative's own is covered or out of view, or the host's is partly so.
    case closeCovered = "close-covered"
    /// An element of the creative that can be tapped, but isn't for closing, lies under the host's close control.
    case underClose = "under-close"
    /// A click led out of the ad without `mraid.open`.
    case clickWithoutOpen = "click-without-open"
    /// `open()` was called without a tap by the user.
    case openWithoutGesture = "open-without-gesture"
    /// The creative tried to leave its document or to open a window without a tap by the user.
    case unaskedNavigation = "navigation-without-gesture"
    /// A call has no effect by the standard in that state (`callIgnored`), or came before `ready` (`callPremature`).
    case callIgnored = "call-ignored"
    case callPremature = "call-premature"
    /// The host sent an `error` event.
    case errorEvent = "error-event"
    case exception
    case rejection
    /// Rotating, scrolling or leaving the app and coming back ended in another state.
    case journeyChanged = "journey-changed"
    /// Repeating the steps to a state led to another state.
    case unsteady
    /// A trial didn't complete: its web process died, its time limit was reached, or a step failed.
    case crashed
    case timedOut = "timed-out"
    case stepFailed = "step-failed"
  }

  package let code: Code
  /// Message in one line.
  package let message: String
  /// Number of the state in which it was met; nil while loading.
  package let state: Int?
  /// Act that was tried there; nil if none was.
  package let action: String?
  /// Number of the trial that met it first.
  package let trial: Int
  /// Number of times that it was met.
  package internal(set) var count = 1
}

/// Collects anomalies, each once, in the order in which they were met.
struct AnomalyList: Sendable {
  private(set) var all: [Anomaly] = []

  /// Adds the anomalies that a trial's result shows.
  mutating func findAnomalies(at result: TrialResult, edge: Edge?, states: [StateNode]) {
    // Timers and promises of one load may throw in any order; the list must not tell.
    let told = result.news.compactMap(EventAnomaly.of).sorted { ($0.0.rawValue, $0.1) < ($1.0.rawValue, $1.1) }
    for (code, message) in told { add(code, message, result.trial) }
    // A browser or player is the host's own affair.
    if let seen = result.observations.last(where: { $0.moment != Trial.before && !$0.closeFits && $0.opened == nil }) {
      let whose = seen.moment == Trial.away ? ", halfway through the action" : ""
      add(.closeCovered, "the host's close control is partly outside the content area\(whose)", result.trial)
    }
    guard let act = result.trial.act, let from = result.trial.from else { return }
    if result.record.outcome != .completed {
      add(Self.code(of: result.record), result.record.message ?? "the trial didn't complete", result.trial)
    } else if let before = result.before, StateSignature(before) != states[from - 1].signature {
      add(.unsteady, "repeating the steps to the state led to another state", result.trial)
    } else if !act.returning.isEmpty, let edge, edge.leaves, let to = edge.to, !edge.effects.contains("close()") {
      add(.journeyChanged, "\(act.label) ended in state \(to), \(states[to - 1].name)", result.trial)
    }
  }

  /// Adds the anomalies known only after all trials: dead taps, swipes and fields, and states without a way out.
  mutating func close(states: [StateNode], edges: [Edge], results: [Int: Bool], placement: Placement.Kind) {
    for state in states { findDeadButtons(state, needsClose: placement != .banner || !state.isInSlot) }
    for edge in edges where results[edge.trial] == true && isDead(edge, edges, states[edge.from - 1]) {
      add(.deadTap, "the tap had no effect", edge.trial, edge.from, edge.act.label)
    }
    for state in states { findDeadSwipes(edges.filter { $0.from == state.number && $0.act.kind == .swipe }, results) }
    for edge in edges where edge.act.kind == .type && !edge.leaves && edge.effects.isEmpty && edge.to != nil {
      add(.deadField, "no field accepted the text", edge.trial, edge.from, edge.act.label)
    }
    for state in states where state.number > 1 && state.seen.document != nil && state.untried.isEmpty {
      let ways = edges.filter { $0.from == state.number }
      guard !ways.contains(where: { $0.to != nil && $0.leaves }) else { continue }
      add(.noWayOut, "no tried action leaves the state", state.trial, state.number, nil)
    }
  }

  /// Adds surfaces on which no direction has an effect; a list at its end can't be swiped further in one direction.
  private mutating func findDeadSwipes(_ swipes: [Edge], _ results: [Int: Bool]) {
    let elements = swipes.compactMap(\.act.surface?.element)
    for element in elements.reduce(into: [String](), { if !$0.contains($1) { $0.append($1) } }) {
      let ways = swipes.filter { $0.act.surface?.element == element }
      let isDead = ways.allSatisfy { edge in
        edge.act.surface?.isClaimed == true && !edge.leaves && edge.effects.isEmpty && results[edge.trial] == true
      }
      guard isDead, let first = ways.first else { continue }
      add(.deadSwipe, "no swipe over the element had an effect", first.trial, first.from, first.act.label)
    }
  }

  /// Adds covered close controls and elements under the host's; an ad in its slot doesn't need a close control yet.
  private mutating func findDeadButtons(_ state: StateNode, needsClose: Bool) {
    // What the host shows on top covers everything, rightly.
    guard state.seen.opened == nil else { return }
    for target in state.seen.targets where target.container == nil {
      switch target.reach {
      case .tappable: break
      case .covered where target.closes && needsClose:
        add(
          .closeCovered, "\(target.element) is covered by \(target.coveredBy ?? "something")", state.trial,
          state.number, nil)
      case .offScreen where target.closes && needsClose:
        add(.closeCovered, "\(target.element) is outside what can be seen", state.trial, state.number, nil)
      case .underClose where !target.closes:
        add(.underClose, "\(target.element) lies under the host's close control", state.trial, state.number, nil)
      case .covered, .offScreen, .underClose: break
      }
    }
  }

  /// Indicates if a tap had no effect; false if a part of the container acts, or the way there ended in that tap.
  private func isDead(_ edge: Edge, _ edges: [Edge], _ state: StateNode) -> Bool {
    guard edge.act.kind == .tap, let target = edge.act.target, target.isClaimed, !edge.leaves, edge.effects.isEmpty,
      state.path.last(where: \.isTap) != edge.act.going.first
    else { return false }
    let around = Dictionary(
      state.seen.targets.compactMap { inner in inner.within.map { (inner.element, $0) } },
      uniquingKeysWith: { a, _ in a })
    return !edges.contains { other in
      guard other.from == edge.from, !other.effects.isEmpty, var inner = other.act.target?.within else { return false }
      while inner != target.element, let outer = around[inner] { inner = outer }
      return inner == target.element
    }
  }

  private mutating func add(_ code: Anomaly.Code, _ message: String, _ trial: Trial) {
    add(code, message, trial.number, trial.from, trial.act?.label)
  }

  private mutating func add(_ code: Anomaly.Code, _ message: String, _ trial: Int, _ state: Int?, _ action: String?) {
    let message = String(message.prefix(300))
    if let index = all.firstIndex(where: { $0.code == code && $0.message == message }), code.isByMessage {
      all[index].count += 1
      return
    }
    all.append(Anomaly(code: code, message: message, state: state, action: action, trial: trial))
  }

  private static func code(of record: RenderRecord) -> Anomaly.Code {
    switch record.outcome {
    case .crashed: .crashed
    case .timedOut: .timedOut
    case .failed, .completed: record.has(.memoryExceeded) ? .crashed : .stepFailed
    }
  }
}

extension Anomaly.Code {
  /// Indicates if the same message, met again elsewhere, counts as the same anomaly.
  fileprivate var isByMessage: Bool {
    switch self {
    case .deadTap, .deadSwipe, .deadField, .noWayOut, .closeCovered, .underClose, .journeyChanged, .unsteady: false
    case .crashed, .timedOut, .stepFailed: false
    default: true
    }
  }
}

extension StateNode {
  /// Indicates if the ad still has its initial size.
  fileprivate var isInSlot: Bool { seen.state == .default && seen.modals.isEmpty }
}

extension Scenario.Action {
  fileprivate var isTap: Bool { if case .tap = self { true } else { false } }
}

/// Conversion of logged events to anomalies, as a code and a message.
enum EventAnomaly {
  static func of(_ event: Event) -> (Anomaly.Code, String)? {
    let detail = event.detail
    switch (event.source, Event.Name(rawValue: event.name)) {
    case (.mraid, .ignored):
      return (.callIgnored, "\(text(detail["command"])) was ignored: \(text(detail["reason"]))")
    case (.mraid, .premature): return (.callPremature, "\(text(detail["command"])) was called before ready")
    case (.mraid, .error):
      let arguments = detail["arguments"]
      return (.errorEvent, "\(text(arguments?[1])): \(text(arguments?[0]))")
    case (.page, .exception): return (.exception, text(detail["message"]))
    case (.page, .rejection): return (.rejection, text(detail["message"]))
    case (.page, .navigation) where detail["allowed"] == false, (.page, .popup):
      let isTapped = detail["gesture"] == true
      return (isTapped ? .clickWithoutOpen : .unaskedNavigation, "\(event.name) to \(text(detail["url"]))")
    case (.creative, .open) where detail["gesture"] == false:
      return (.openWithoutGesture, "open(\(text(detail["arguments"]?[0])))")
    case (.playable, .storeOpened) where detail["gesture"] == false:
      return (.openWithoutGesture, "\(text(detail["call"]))")
    default: return nil
    }
  }

  private static func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: "–"
    case .string(let text)?: text
    case let other?: other.text
    }
  }
}
