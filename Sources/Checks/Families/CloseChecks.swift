internal import Exploration
internal import MRAID
internal import RenderModel

/// Means of a user to leave the ad.
enum CloseChecks {
  static let all: [Check] = [coveredClose, underClose, noWayOut, customCloseMissing, ownClose]

  static let coveredClose = Check(
    "covered-close", family: .close, severity: .error, title: "Close control out of reach",
    why: "A close button that is covered or off the screen traps the user; apps and networks reject such ads.",
    remedy: "Keep the close button on top and on the screen, at least 50×50 dip.",
    source: .mraid2, needs: .explored
  ) { context in
    context.exploration?.anomalies.filter { $0.code == .closeCovered }.map { odd in
      var issue = CheckIssue((odd.action.map { "\($0): " } ?? "") + odd.message, subject: odd.action ?? odd.message)
      // The host's own control, moved by what was done, as turning a resized ad does: the standard leaves that open.
      if odd.action != nil { issue.severity = .warning }
      return issue
    }
  }

  static let underClose = Check(
    "under-close-control", family: .close, severity: .warning, title: "Element under the host's close control",
    why: "The host's close control covers the element, so a tap on the element closes the ad.",
    remedy: "Keep the top right corner (50×50 dip) free of tappable elements.",
    source: .mraid3, needs: .explored
  ) { $0.odd(.underClose) { $0.message } }

  static let noWayOut = Check(
    "no-way-out", family: .close, severity: .error, title: "State without a way out",
    why: "A user in this state can't continue, go back or close the ad.",
    remedy: "Add a way back or a close button to the state.",
    source: .mraid3, needs: .explored
  ) { context in
    context.exploration?.anomalies.filter { $0.code == .noWayOut }.map { odd in
      let state = [odd.state.map { "\($0)" }, context.stateName(odd.state)].compactMap(\.self).joined(separator: ", ")
      var issue = CheckIssue("in state \(state): \(odd.message)", subject: odd.action ?? noWayOutSubject)
      // In its slot it holds nobody, as the app goes on around it; a word of thanks leads nowhere, rightly.
      if context.staysInSlot(in: odd.state) { issue.severity = .note }
      return issue
    }
  }

  /// Subject of states without a way out; it is part of the key in suppressions, so it never changes.
  private static let noWayOutSubject = "nothing that was tried leaves it"

  static let customCloseMissing = Check(
    "custom-close-missing", family: .close, severity: .error, title: "Custom close without a close button",
    why: "If a container hides its own close control as requested, the user can't close the ad.",
    remedy: "Draw a close button that calls mraid.close(), or don't request a custom close.",
    source: .mraid2, needs: .rendered.union([.code])
  ) { context in
    let wishes = context.events(.creative, .useCustomClose, .setExpandProperties).filter(\.wantsCustomClose)
    guard let wish = wishes.first, !context.sources.isEmpty else { return nil }
    let closes = !context.events(.creative, .close).isEmpty || !context.passages(/\bclose\b/, hint: ".close").isEmpty
    guard !closes else { return [] }
    return context.issues(on: [wish], subject: { $0.event.name }) {
      "\($0.event.name)() requests a custom close, but no code calls mraid.close()"
    }
  }

  static let ownClose = Check(
    "custom-close-button", family: .close, severity: .note, title: "Ad draws its own close button",
    why: "MRAID 3 containers draw the close control, and some networks reject a second one.",
    remedy: "Remove the button, and leave closing to the container.",
    source: .mraid3, needs: .explored
  ) { context in
    guard let exploration = context.exploration else { return nil }
    let buttons = exploration.states.filter { $0.opened == nil }.flatMap(\.targets).filter(\.closes)
    var known: Set<String> = []
    return buttons.filter { known.insert($0.element).inserted }.map {
      CheckIssue("\($0.element) is a close button drawn by the ad", subject: $0.element)
    }
  }
}

extension CheckContext {
  /// Returns the name of an explored state, as `expanded`; nil if it is unknown.
  fileprivate func stateName(_ state: Int?) -> String? {
    state.flatMap { exploration?.states.dropFirst($0 - 1).first?.state.rawValue }
  }

  /// Indicates if an explored state is a banner in its first size.
  fileprivate func staysInSlot(in state: Int?) -> Bool {
    guard let state, let states = exploration?.states, states.indices.contains(state - 1) else { return false }
    return record.placement?.kind == .banner && states[state - 1].state == .default
  }
}
