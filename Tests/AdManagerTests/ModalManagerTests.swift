import AdManager
import Device
import Testing

/// Manager between the stack and the screen: order and time of its actions and of its notifications.
@Suite struct ModalManagerTests {
  let journal = Journal()
  let screen: FakeScreen
  let manager: ModalManager

  init() {
    screen = FakeScreen(journal: journal)
    manager = ModalManager(presenter: screen, listener: screen)
  }

  @Test func screenHasChangedWhenTheCallReturns() {
    screen.isSlow = true
    manager.push(.expanded)
    #expect(screen.kinds == ["expanded"])
    manager.reset(.resized)
    #expect(screen.kinds == ["resized"])
    let hasPopped = manager.popState()
    #expect(hasPopped)
    #expect(screen.kinds == [])
  }

  @Test func completionWaitsForTheLayout() {
    screen.isSlow = true
    manager.push(.expanded) { [journal] in journal.note("done") }
    #expect(journal.lines == ["push [\"expanded\"]"])
    screen.finish()
    #expect(journal.lines == ["push [\"expanded\"]", "done"])
  }

  @Test func listenersHearBeforeACompletionThatComesAtOnce() {
    manager.push(.expanded) { [journal] in journal.note("done") }
    #expect(journal.lines == ["push [\"expanded\"]", "done"])
  }

  @Test func listenerThatChangesTheStackHearsTransitionsInTheirOrder() {
    screen.onFirst = { [manager] in manager.popState() }
    manager.push(.expanded)
    #expect(journal.lines == ["push [\"expanded\"]", "pop []"])
    #expect(screen.kinds == [])
  }

  @Test func listenerHearsWhileTheLayoutIsAwaited() {
    screen.isSlow = true
    manager.push(.interstitial) { [journal] in journal.note("done") }
    manager.push(.expanded)
    #expect(journal.lines == ["push [\"interstitial\"]", "push [\"interstitial\", \"expanded\"]"])
    screen.finish()
    #expect(journal.lines.last == "done")
  }

  @Test func poppingNothingCompletesAndTellsNobody() {
    let hasPopped = manager.popState { [journal] in journal.note("done") }
    #expect(!hasPopped)
    #expect(journal.lines == ["done"])
  }

  @Test func clearingNothingCompletesAndTellsNobody() {
    manager.clearStates { [journal] in journal.note("done") }
    #expect(journal.lines == ["done"])
  }

  @Test func clearingIsOneTransition() {
    manager.push(.interstitial)
    manager.push(.expanded)
    let told = journal.during { manager.clearStates() }
    #expect(told == ["clear []"])
    #expect(manager.stack.top == nil)
  }

  @Test func completionMayChangeTheStackAgain() {
    manager.push(.interstitial) { [manager] in manager.push(.expanded) { manager.popState() } }
    let pushes = ["push [\"interstitial\"]", "push [\"interstitial\", \"expanded\"]"]
    #expect(journal.lines == pushes + ["pop [\"interstitial\"]"])
  }

  @Test func listenersHearAtOnceOfWhatALateCompletionDoes() {
    screen.isSlow = true
    manager.push(.interstitial) { [manager, journal] in
      manager.popState()
      journal.note("done")
    }
    screen.finish()
    #expect(journal.lines == ["push [\"interstitial\"]", "pop []", "done"])
  }

  @Test func lateCompletionsRunInTheOrderOfTheLayouts() {
    screen.isSlow = true
    manager.push(.interstitial) { [journal] in journal.note("first") }
    manager.popState { [journal] in journal.note("second") }
    screen.finish()
    #expect(journal.lines.suffix(2) == ["first", "second"])
  }
}

/// Stack alone: result of each change, and the transition that describes it.
@Suite struct ModalStackTests {
  enum Change: Sendable {
    case push(String, at: Int? = nil)
    case reset(String, at: Int? = nil)
    case pop(at: Int? = nil)
    case clear
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var before: String
    var change: Change
    var after: String
    var removed: String
    var operation: ModalTransition.Operation

    var testDescription: String { "\(before) \(change)" }
  }

  static let rows: [Row] = [
    Row(before: "", change: .push("a"), after: "a", removed: "", operation: .push),
    Row(before: "ab", change: .push("c"), after: "abc", removed: "", operation: .push),
    Row(before: "ab", change: .push("c", at: 0), after: "cab", removed: "", operation: .push),
    Row(before: "ab", change: .push("c", at: 1), after: "acb", removed: "", operation: .push),
    Row(before: "ab", change: .push("c", at: 9), after: "abc", removed: "", operation: .push),
    Row(before: "a", change: .reset("b"), after: "b", removed: "a", operation: .reset),
    Row(before: "abc", change: .reset("d"), after: "abd", removed: "c", operation: .reset),
    Row(before: "abc", change: .reset("d", at: 0), after: "dbc", removed: "a", operation: .reset),
    Row(before: "", change: .reset("a"), after: "a", removed: "", operation: .push),
    Row(before: "a", change: .pop(), after: "", removed: "a", operation: .pop),
    Row(before: "abc", change: .pop(), after: "ab", removed: "c", operation: .pop),
    Row(before: "abc", change: .pop(at: 1), after: "ac", removed: "b", operation: .pop),
    Row(before: "a", change: .clear, after: "", removed: "a", operation: .clear),
    Row(before: "abc", change: .clear, after: "", removed: "cba", operation: .clear),
  ]

  @Test(arguments: rows) func changeLeadsToOneTransition(row: Row) throws {
    var stack = Self.stack(row.before)
    let transition = try #require(Self.apply(row.change, to: &stack))
    #expect(Self.names(stack.states) == row.after)
    #expect(Self.names(transition.states) == row.after)
    #expect(Self.names(transition.removed) == row.removed)
    #expect(transition.operation == row.operation)
    #expect(transition.top == stack.top)
  }

  @Test(arguments: [("", Change.pop()), ("", .clear), ("ab", .pop(at: 2)), ("ab", .pop(at: -1))])
  func nothingThereIsNoTransition(before: String, change: Change) {
    var stack = Self.stack(before)
    let transition = Self.apply(change, to: &stack)
    #expect(transition == nil)
    #expect(Self.names(stack.states) == before)
  }

  @Test func onlyAResizedAdLeavesTheAppUsable() {
    let kinds: [ModalState.Kind] = [.interstitial, .expanded, .resized, .browser(url: "u"), .video(url: "u")]
    #expect(kinds.filter { !$0.isModal } == [.resized])
    #expect(kinds.map(\.name) == ["interstitial", "expanded", "resized", "browser", "video"])
  }

  private static func stack(_ names: String) -> ModalStack {
    var stack = ModalStack()
    for name in names { _ = stack.push(state(String(name))) }
    return stack
  }

  private static func apply(_ change: Change, to stack: inout ModalStack) -> ModalTransition? {
    switch change {
    case .push(let name, let place): stack.push(state(name), at: place)
    case .reset(let name, let place): stack.reset(state(name), at: place)
    case .pop(let place): stack.pop(at: place)
    case .clear: stack.clear()
    }
  }

  private static func state(_ name: String) -> ModalState {
    ModalState(kind: .browser(url: name), displayView: AdViewID(rawValue: name))
  }

  private static func names(_ states: [ModalState]) -> String { states.map(\.displayView.rawValue).joined() }
}
