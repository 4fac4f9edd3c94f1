import AdExperience
import Testing

/// The manager between the stack and the screen: when things happen, and who hears of them in which order.
@Suite struct ModalManagerTests {
  let journal = Journal()
  let screen: FakeScreen
  let manager: ModalManager

  init() {
    screen = FakeScreen(journal: journal)
    manager = ModalManager(presenter: screen)
    manager.add(screen)
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

  @Test func everyListenerHearsTransitionsInOrder() {
    let manager = ModalManager(presenter: screen)
    let (meddler, second) = (FakeListener(), FakeListener())
    meddler.onFirst = { [manager] in manager.popState() }
    manager.add(meddler)
    manager.add(second)
    manager.push(.expanded)
    #expect(meddler.heard == [.push, .pop])
    #expect(second.heard == [.push, .pop])
    #expect(screen.kinds == [])
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
