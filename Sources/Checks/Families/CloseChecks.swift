internal import Exploration
internal import MRAID
internal import RenderModel

/// Whether a person gets out of the ad again.
enum CloseChecks {
  static let all: [Check] = [coveredClose, underClose, noWayOut, customCloseMissing, ownClose]

  static let coveredClose = Check(
    "covered-close", family: .close, severity: .error, title: "Close control out of reach",
    why: "A close button that is covered or off the screen holds a person in the ad; apps and networks refuse that.",
    remedy: "Keep the close button topmost and on the screen, 50×50 at least.",
    source: .mraid2
  ) { context in
    context.exploration?.anomalies.filter { $0.code == .closeCovered }.map { odd in
      var issue = CheckIssue((odd.action.map { "\($0): " } ?? "") + odd.message, subject: odd.action ?? odd.message)
      // The host's own control, moved by what was done, as turning a resized ad does: the standard leaves that open.
      if odd.action != nil { issue.severity = .warning }
      return issue
    }
  }

  static let underClose = Check(
    "under-close-control", family: .close, severity: .warning, title: "Control under the host's close",
    why: "The host's close control lies over this, so a tap meant for it closes the ad.",
    remedy: "Keep the 50×50 in the top right corner free of anything to tap.",
    source: .mraid3
  ) { $0.odd(.underClose) { $0.message } }

  static let noWayOut = Check(
    "no-way-out", family: .close, severity: .error, title: "State without a way out",
    why: "A person who gets there can neither go on, go back nor close.",
    remedy: "Give the state a way back or a close button.",
    source: .mraid3
  ) { context in
    context.exploration?.anomalies.filter { $0.code == .noWayOut }.map { odd in
      let state = [odd.state.map { "\($0)" }, context.stateName(odd.state)].compactMap(\.self).joined(separator: ", ")
      var issue = CheckIssue("in state \(state): \(odd.message)", subject: odd.action ?? odd.message)
      // In its slot it holds nobody, as the app goes on around it; a word of thanks leads nowhere, rightly.
      if context.staysInSlot(in: odd.state) { issue.severity = .note }
      return issue
    }
  }

  static let customCloseMissing = Check(
    "custom-close-missing", family: .close, severity: .error, title: "Custom close without a close",
    why: "Where a container leaves its own control away as asked, nobody can close the ad.",
    remedy: "Draw a close button that calls mraid.close(), or don't ask for a custom close.",
    source: .mraid2
  ) { context in
    let wishes = context.events(.creative, "useCustomClose", "setExpandProperties").filter(\.wantsCustomClose)
    guard let wish = wishes.first, !context.sources.isEmpty else { return nil }
    let closes = !context.events(.creative, "close").isEmpty || !context.passages(/\bclose\b/, hint: ".close").isEmpty
    guard !closes else { return [] }
    return context.issues(on: [wish], subject: { $0.event.name }) {
      "\($0.event.name)() asks for a custom close, and nothing calls mraid.close()"
    }
  }

  static let ownClose = Check(
    "custom-close-button", family: .close, severity: .note, title: "Close button of its own",
    why: "MRAID 3 containers draw the close control, and some networks refuse a second one.",
    remedy: "Leave closing to the container.",
    source: .mraid3
  ) { context in
    guard let exploration = context.exploration else { return nil }
    let buttons = exploration.states.filter { $0.opened == nil }.flatMap(\.targets).filter(\.closes)
    var known: Set<String> = []
    return buttons.filter { known.insert($0.element).inserted }.map {
      CheckIssue("\($0.element) is a close button of the ad's own", subject: $0.element)
    }
  }
}

extension CheckContext {
  /// What an explored state is called: `expanded`, `browser`.
  fileprivate func stateName(_ state: Int?) -> String? {
    state.flatMap { exploration?.states.dropFirst($0 - 1).first?.state.rawValue }
  }

  /// Whether an explored state is a banner in its first size.
  fileprivate func staysInSlot(in state: Int?) -> Bool {
    guard let state, let states = exploration?.states, states.indices.contains(state - 1) else { return false }
    return record.placement?.kind == .banner && states[state - 1].state == .default
  }
}
