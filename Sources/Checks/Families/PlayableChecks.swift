internal import Core
internal import RenderModel

/// Use of an ad network's own interface by playables.
enum PlayableChecks {
  static let all: [Check] = [
    storeCall, NetworkScriptCheck.missingScript, lifecycle, soundWhenHidden, lockedOrientation,
  ]

  static let storeCall = Check(
    "store-call", family: .behaviour, severity: .error, title: "Another store call than the network's",
    why: "A network opens the store and counts the click only by its own call; any other has no effect there.",
    remedy: "Call the function that the finding names from the button, in a build of its own for each network.",
    source: .playableSDK, needs: .touched.union([.code, .storeCall]), needsProfile: true
  ) { context in
    let groups = context.ruleGroups(for: "store-call")
    let judged = groups.compactMap { issues(of: $0, context) }
    return judged.isEmpty ? nil : judged.flatMap(\.self)
  }

  static let lifecycle = Check(
    "playable-lifecycle", family: .behaviour, severity: .error, title: "Missing or misplaced lifecycle call",
    why: "The network starts, ends and rates the game by these calls; without them its users see a loading screen.",
    remedy: "Make the named call at its moment: ready after loading, end when the game is over.",
    source: .playableSDK, needs: .rendered.union([.code]),
    alsoNeeds: { context in
      let groups = context.ruleGroups(for: "playable-lifecycle")
      let isUnknown = groups.contains { !unmade($0, context).isEmpty || !unknownAnswers($0, context).isEmpty }
      return isUnknown ? [.plainCode] : []
    },
    needsProfile: true
  ) { context in
    let groups = context.ruleGroups(for: "playable-lifecycle")
    guard !groups.isEmpty, context.hasLoaded || !context.sources.isEmpty else { return nil }
    return groups.flatMap {
      missingCalls($0, context) + lateCalls($0, context) + missingAnswers($0, context) + misplacedCalls($0, context)
    }
  }

  static let soundWhenHidden = Check(
    "sound-when-hidden", family: .behaviour, severity: .error, title: "Sound that nothing stops",
    why: "An ad in the background goes on to sound, which networks refuse and users can't stop.",
    remedy: "Stop all sound at visibilitychange, and at viewableChange in MRAID; resume it when the ad is seen again.",
    source: .appLovin, needs: [.code], alsoNeeds: { $0.namesHiding ? [] : [.plainCode] }, needsProfile: true
  ) { context in
    let rules = context.rules(for: "sound-when-hidden")
    guard !rules.isEmpty, !context.namesHiding else { return rules.isEmpty ? nil : [] }
    guard context.isCodeWhole else { return nil }
    guard let sound = context.namedSound else { return [] }
    let place = context.sources.compactMap { $0.place(ofWord: sound) }.first
    var issue = CheckIssue("the code plays sound by \(sound), but listens to no event to stop it at", place: place)
    issue.profiles = rules.map(\.profile)
    issue.severity = rules.map { $0.rule.severity ?? .error }.max()
    return [issue]
  }

  static let lockedOrientation = Check(
    "locked-orientation", family: .behaviour, severity: .error, title: "Locked orientation",
    why: "The network shows the ad in apps of either orientation, and refuses one that works in only one of them.",
    remedy: "Lay the ad out for both orientations, and leave out setOrientationProperties().",
    source: .appLovin, needs: .touched, needsProfile: true
  ) { context in
    let rules = context.rules(for: "locked-orientation")
    guard !rules.isEmpty, context.usesMRAID else { return nil }
    let locks = context.events(.creative, .setOrientationProperties).filter(\.locks)
    return context.issues(on: locks, subject: { $0.event.name }) { _ in
      "the ad locks its orientation, but is shown in both by \(rules.map(\.profile).listed)"
    }.map {
      var issue = $0
      issue.profiles = rules.map(\.profile)
      issue.severity = rules.map { $0.rule.severity ?? .error }.max()
      return issue
    }
  }

  /// Returns issues of the store calls made, or else of those in the code; nil if neither is known.
  private static func issues(of group: RuleGroup, _ context: CheckContext) -> [CheckIssue]? {
    let wanted = (group.rule.calls ?? []).map(StoreCall.init)
    let refused = (group.rule.refuses ?? []).map(StoreCall.init)
    let remedy = "call \(wanted.map(\.shown).joined(separator: " or ")) for \(group.names)"
    let wrong = context.storeCallsMade.filter { met in
      group.isTried && refused.contains { context.isMade($0, by: met) }
    }
    if !wrong.isEmpty {
      return context.issues(on: wrong, subject: { "\(group.subject):\($0.event.name)" }) {
        "\($0.event.detail["call"]?.string ?? "mraid.open")() was called: \(remedy)"
      }.map(group.signed)
    }
    guard !context.storeCallsMade.contains(where: { met in wanted.contains { context.isMade($0, by: met) } }),
      !wanted.contains(where: { $0.isNamed(in: context.inventory) })
    else { return [] }
    guard context.isCodeWhole, let inventory = context.inventory else { return nil }
    let other = StoreCall.all.first { !wanted.contains($0) && $0.isCalled(in: inventory) }
    let found = other.map { "the code calls \($0.shown)" } ?? "no code opens the store"
    let place = Finding.Place(file: inventory.entry)
    return [group.signed(CheckIssue("\(found): \(remedy)", subject: group.subject, place: place))]
  }

  /// Returns an issue for each required call that wasn't made, if the whole ad was seen or its code lacks the call.
  private static func missingCalls(_ group: RuleGroup, _ context: CheckContext) -> [CheckIssue] {
    let sawAll = group.isTried && context.hasSeenWholeAd
    return (group.rule.calls ?? []).map(StoreCall.init).filter { !context.wasMade($0) }.compactMap { call in
      let isAbsent = context.isCodeWhole && !call.isNamed(in: context.inventory)
      guard sawAll || isAbsent else { return nil }
      let found = isAbsent ? "no code calls" : "nothing in the whole ad called"
      return group.signed(CheckIssue("\(found) \(call.shown), needed by \(group.names)", subject: call.text))
    }
  }

  /// Returns the required calls that weren't made, and that no readable code names.
  private static func unmade(_ group: RuleGroup, _ context: CheckContext) -> [StoreCall] {
    (group.rule.calls ?? []).map(StoreCall.init).filter { call in
      !context.wasMade(call) && !call.isNamed(in: context.inventory)
    }
  }

  /// Returns an issue for each call that the ad didn't make by itself in its network's container.
  private static func lateCalls(_ group: RuleGroup, _ context: CheckContext) -> [CheckIssue] {
    guard group.isTried, context.hasLoaded, context.record.outcome == .completed else { return [] }
    let made = callsWithoutTouch(context)
    return (group.rule.atLoad ?? []).map(StoreCall.init).filter { call in
      !made.contains { call.isMade(by: $0) }
    }.map { call in
      group.signed(
        CheckIssue("the ad loaded without calling \(call.shown), needed by \(group.names)", subject: call.text))
    }
  }

  /// Returns the calls that an ad made while it was left alone for a minute; all calls of one that wasn't.
  private static func callsWithoutTouch(_ context: CheckContext) -> [Event] {
    let made = context.events(.playable, .called, .storeOpened)
    guard let late = context.late, late.isOfOwnLog else { return made.map(\.event) }
    return made.filter { $0.action == nil }.map(\.event) + late.events.filter { $0.source == .playable }
  }

  /// Returns an issue for each function that the network called in vain, or that the code doesn't have.
  private static func missingAnswers(_ group: RuleGroup, _ context: CheckContext) -> [CheckIssue] {
    let vain = (group.rule.answers ?? []).filter { name in
      let sent = calls(of: name, context)
      return group.isTried && !sent.isEmpty && sent.allSatisfy { $0.event.detail["answered"]?.bool == false }
    }
    return (vain + (context.isCodeWhole ? unknownAnswers(group, context) : [])).map {
      group.signed(CheckIssue("the page has no function \($0)(), called by \(group.names)", subject: $0))
    }
  }

  /// Returns the functions that the network didn't call, and that no readable code names.
  private static func unknownAnswers(_ group: RuleGroup, _ context: CheckContext) -> [String] {
    (group.rule.answers ?? []).filter { name in
      calls(of: name, context).isEmpty && context.inventory?.hasFunction(name) != true
    }
  }

  /// Returns the calls of the network to a function of the page.
  private static func calls(of function: String, _ context: CheckContext) -> [CheckContext.Met] {
    let call = StoreCall(function)
    return context.events(.playable, .sent).filter { call.isMade(by: $0.event) }
  }

  /// Returns an issue for each call that came before one that must precede it, on the same way through the ad.
  private static func misplacedCalls(_ group: RuleGroup, _ context: CheckContext) -> [CheckIssue] {
    let order = (group.rule.order ?? []).map(StoreCall.init)
    let made = context.events(.playable, .called, .storeOpened)
    return zip(order, order.dropFirst()).compactMap { first, second in
      let early = call(of: second, before: first, in: made)
      return early.map { met in
        group.signed(
          CheckIssue(
            "\(second.shown) was called before \(first.shown)\(met.way)", subject: second.text, event: met.seq,
            screenshot: context.picture(of: met)))
      }
    }
  }

  /// Returns the first call of `second` that came before all calls of `first` on the same way; nil if none came.
  ///
  /// Each event is read once, as a hostile page may make thousands of calls.
  private static func call(
    of second: StoreCall, before first: StoreCall, in made: [CheckContext.Met]
  ) -> CheckContext.Met? {
    var early: [String?: (number: Int, met: CheckContext.Met)] = [:]
    var led: Set<String?> = []
    var found: [(number: Int, met: CheckContext.Met)] = []
    for (number, met) in made.enumerated() where !led.contains(met.action) {
      if first.isMade(by: met.event) {
        led.insert(met.action)
        if let call = early[met.action] { found.append(call) }
      } else if early[met.action] == nil, second.isMade(by: met.event) {
        early[met.action] = (number, met)
      }
    }
    return found.min { $0.number < $1.number }?.met
  }
}

/// Rules of several profiles that demand the same, so that they give one finding.
struct RuleGroup {
  let rule: Profile.Rule
  let profiles: [String]
  let severity: Severity
  /// Indicates if the ad ran where the rule of at least one profile is tried.
  let isTried: Bool

  /// Profiles' names for a sentence, as `unity, applovin`.
  var names: String { profiles.listed }
  /// Subject that is the same for the same demand.
  var subject: String { (rule.calls ?? rule.refuses ?? []).joined(separator: ",") }

  /// Completes an issue with the profiles and the severity.
  func signed(_ issue: CheckIssue) -> CheckIssue {
    var issue = issue
    issue.profiles = profiles
    issue.severity = severity
    return issue
  }
}

extension CheckContext {
  /// Interface in the readable code by which it plays sound; nil for none.
  fileprivate var namedSound: String? {
    ["AudioContext", "webkitAudioContext", "Audio", "<audio", "Howl"].first { name in
      sources.contains { $0.has(name) }
    }
  }

  /// Indicates if the readable code names an event at which it can stop its sound.
  fileprivate var namesHiding: Bool {
    let signals = [
      "visibilitychange", "viewableChange", "exposureChange", "stateChange", "pagehide", "blur", "gameClose",
      "ad-event-pause",
    ]
    return signals.contains { name in sources.contains { $0.text.contains(name) } }
  }

  /// Returns the rules of the chosen profiles for a check; those with the same parameters are one group.
  func ruleGroups(for check: String) -> [RuleGroup] {
    var groups: [(key: Profile.Rule, found: [Profile])] = []
    for profile in profiles {
      for rule in profile.rules where rule.check == check {
        let key = rule.demand
        if let known = groups.firstIndex(where: { $0.key == key }) {
          groups[known].found.append(profile)
        } else {
          groups.append((key, [profile]))
        }
      }
    }
    return groups.map { key, found in
      RuleGroup(
        rule: key, profiles: found.map(\.id), severity: key.severity ?? .error,
        isTried: found.contains(where: isInContainer))
    }
  }

  /// Indicates if the ad made a call, on any way through it or while it was left alone.
  fileprivate func wasMade(_ call: StoreCall) -> Bool {
    events(.playable, .called, .storeOpened).contains { call.isMade(by: $0.event) }
      || late?.events.contains { $0.source == .playable && call.isMade(by: $0) } == true
  }

  /// Indicates if every act in the ad was tried, up to the store, and the ad was left alone for a minute.
  ///
  /// A game on a canvas may always have more to show than was played.
  fileprivate var hasSeenWholeAd: Bool {
    guard hasLoaded, record.outcome == .completed, cutOffs.isEmpty, late != nil, let exploration else { return false }
    return exploration.isComplete && exploration.failures == 0 && !exploration.mergesNumbers && exploration.actions > 0
      && !storeCallsMade.isEmpty && exploration.states.allSatisfy { !$0.isCut && $0.canvas == nil }
  }

  /// Calls of the ad that ask for the store, from all journeys.
  var storeCallsMade: [Met] { events(.playable, .storeOpened) + events(.creative, .open) }

  /// Indicates if an event is a store call; `open` of the bridge is MRAID's.
  func isMade(_ call: StoreCall, by met: Met) -> Bool {
    met.event.source == .creative ? call == StoreCall("mraid.open") : call.isMade(by: met.event)
  }
}

extension Profile.Rule {
  /// Rule without its note and source, equal for profiles that demand the same.
  fileprivate var demand: Profile.Rule {
    var rule = self
    rule.note = ""
    rule.source = Citation(title: "", url: "")
    return rule
  }
}
