internal import Core
internal import MRAID

/// Reads one step: a bare word, or a mapping with one key.
enum StepReader {
  /// Words that a step can begin with.
  enum Word: String, CaseIterable {
    case wait, advance, tap, press, swipe, type, choose, close, rotate, background, foreground, volume, scroll, evaluate
    case screenshot, expect, launch, update, register, offline, online
    case failNextRequest = "fail next request"

    /// Indicates if the word takes no value.
    var isBare: Bool {
      [.close, .background, .foreground, .launch, .offline, .online, .failNextRequest].contains(self)
    }

    /// Indicates if the word is also valid without a value.
    var mayBeBare: Bool { isBare || self == .register }
  }

  /// The step's action; throws a fault that explains how to write it.
  static func action(_ step: YAMLNode) throws(Fault) -> Scenario.Action {
    if let text = step.text {
      let word = try word(text, step)
      guard word.mayBeBare else { throw step.fault("\(text) needs a value: \(usage(word))") }
      return try action(word, step)
    }
    guard step.isMapping else { throw step.fault("a step is a word or a mapping of one key, found \(step.kind)") }
    let pairs = try step.pairs(of: "a step")
    guard let pair = pairs.first, pairs.count == 1 else {
      let keys = pairs.map(\.key).joined(separator: ", ")
      throw step.fault(
        pairs.isEmpty
          ? "the step is empty" : "a step has one key, found \(keys); write each step on a line of its own with a dash")
    }
    let word = try word(pair.key, step)
    if word.isBare, !pair.value.isNull { throw pair.value.fault("\(pair.key) takes no value") }
    if !word.isBare, pair.value.isNull, word != .volume {
      throw step.fault("\(pair.key) needs a value: \(usage(word))")
    }
    return try action(word, pair.value)
  }

  private static func word(_ text: String, _ step: YAMLNode) throws(Fault) -> Word {
    guard let word = Word(rawValue: text) else {
      let hint = Suggestion.hint(for: text, among: Word.allCases.map(\.rawValue))
      throw step.fault("unknown step \"\(text)\"\(hint)")
    }
    return word
  }

  private static func action(_ word: Word, _ value: YAMLNode) throws(Fault) -> Scenario.Action {
    switch word {
    case .wait: return .wait(try WaitReader.condition(value))
    case .advance: return try WaitReader.passing(value)
    case .tap: return try TargetReader.tap(value)
    case .press: return try TargetReader.press(value)
    case .swipe: return try TargetReader.swipe(value)
    case .type: return try TargetReader.typing(value)
    case .choose: return try TargetReader.choosing(value)
    case .close: return .close
    case .rotate: return .rotate(try value.choice(AppOrientation.self, "orientation"))
    case .background: return .background
    case .foreground: return .foreground
    case .volume: return .volume(value.isNull ? nil : try value.number("volume", in: 0...100))
    case .scroll: return .scroll(to: try scroll(value))
    case .evaluate: return .evaluate(try value.string("evaluate"))
    case .screenshot: return .screenshot(try screenshotName(value))
    case .expect: return .expect(try ExpectationReader.expectations(value))
    case .launch: return .app(.launch)
    case .update: return .app(.update(try version(value)))
    case .register: return .app(.register(try isRegistered(value)))
    case .offline: return .app(.offline)
    case .online: return .app(.online)
    case .failNextRequest: return .app(.failNextRequest)
    }
  }

  private static func scroll(_ value: YAMLNode) throws(Fault) -> Double {
    guard value.isMapping else { return try value.number("scroll", in: 0...100_000) }
    guard let to = try value.members(of: "scroll", allowed: ["to"])["to"] else {
      throw value.fault("scroll needs to: {to: 300}")
    }
    return try to.number("to", in: 0...100_000)
  }

  private static func version(_ value: YAMLNode) throws(Fault) -> String {
    guard let text = value.text, (1...32).contains(text.count) else {
      throw value.fault("update needs a version of 1 to 32 characters: update: 2.0")
    }
    return text
  }

  /// Reads the value of `register`; the bare word itself means true.
  private static func isRegistered(_ value: YAMLNode) throws(Fault) -> Bool {
    if value.text == Word.register.rawValue { return true }
    guard case .bool(let isRegistered)? = value.scalar else {
      throw value.fault("register takes no value, or false: register: false")
    }
    return isRegistered
  }

  private static func screenshotName(_ value: YAMLNode) throws(Fault) -> String {
    let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"
    guard let name = value.text, (1...64).contains(name.count), name.allSatisfy(allowed.contains) else {
      throw value.fault("a screenshot's name is 1 to 64 of a-z, 0-9 and -")
    }
    return name
  }

  /// Example for a step that lacks its value.
  private static func usage(_ word: Word) -> String {
    switch word {
    case .wait: "wait: {event: ready}"
    case .advance: "advance: 2.5s"
    case .tap: "tap: \"#id\", in quotes since # starts a comment"
    case .press: "press: {at: \"#id\", seconds: 1.5}"
    case .swipe: "swipe: {from: {x: 10, y: 20}, to: {x: 200, y: 20}}"
    case .type: "type: \"text\""
    case .choose: "choose: {option: \"Large\", from: \"#size\"}"
    case .rotate: "rotate: landscape"
    case .scroll: "scroll: 300"
    case .evaluate: "evaluate: \"script\""
    case .screenshot: "screenshot: name"
    case .expect: "expect: {state: expanded}"
    case .update: "update: 2.0"
    case .register: "register: false"
    case .close, .background, .foreground, .volume, .launch, .offline, .online, .failNextRequest: word.rawValue
    }
  }
}

/// Reads the target of a finger: a selector or a point.
enum TargetReader {
  /// A selector, or `{selector: …}`, or `{x: …, y: …}`.
  static func target(_ value: YAMLNode, _ what: String) throws(Fault) -> Scenario.Target {
    guard value.isMapping else {
      guard case .string = value.scalar else {
        throw value.fault("\(what) needs a selector in quotes or {x: 10, y: 20}, found \(value.kind)")
      }
      return .selector(try selector(value))
    }
    let members = try value.members(of: what, allowed: ["x", "y", "selector"])
    if let node = members["selector"] {
      guard members.count == 1 else { throw value.fault("\(what) takes a selector or a point, not both") }
      return .selector(try selector(node))
    }
    guard let x = members["x"], let y = members["y"] else { throw value.fault("\(what) needs both x and y") }
    return .point(Point(x: try x.number("x", in: 0...10_000), y: try y.number("y", in: 0...10_000)))
  }

  /// Reads a target, or `{selector: …, covered: true}` for one that may be covered by something else.
  static func tap(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    guard value.isMapping, try value.pairs(of: "tap").contains(where: { $0.key == "covered" }) else {
      return .tap(try target(value, "tap"))
    }
    let members = try value.members(of: "tap", allowed: ["selector", "covered"])
    guard let node = members["selector"], let covered = members["covered"] else {
      throw value.fault("covered requires a selector")
    }
    let selector = try selector(node)
    return try covered.flag("covered") ? .tapCovered(selector) : .tap(.selector(selector))
  }

  /// Reads a target, or `{at: …, seconds: …}`; the default is one second.
  static func press(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    guard value.isMapping, try value.pairs(of: "press").contains(where: { $0.key == "at" }) else {
      return .press(try target(value, "press"), seconds: usualPress)
    }
    let members = try value.members(of: "press", allowed: ["at", "seconds"])
    guard let at = members["at"] else { throw value.fault("press requires at") }
    return .press(try target(at, "at"), seconds: try members["seconds"]?.seconds("seconds") ?? usualPress)
  }

  /// Default duration of a press in seconds: twice as long as systems need to detect a long press.
  private static let usualPress = 1.0

  /// `{from: …, to: …}`, or `{over: …, direction: …}`
  static func swipe(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    let members = try value.members(of: "swipe", allowed: ["from", "to", "over", "direction"])
    if let over = members["over"], let direction = members["direction"], members.count == 2 {
      return .swipeOver(try selector(over), try direction.choice(SwipeDirection.self, "direction"))
    }
    guard let from = members["from"], let to = members["to"], members.count == 2 else {
      throw value.fault("swipe requires from and to, or over and direction")
    }
    return .swipe(from: try target(from, "from"), to: try target(to, "to"))
  }

  /// Reads `{option: …, from: …}`; the option is given by its visible text.
  static func choosing(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    let members = try value.members(of: "choose", allowed: ["option", "from"])
    guard let option = members["option"], let from = members["from"] else {
      throw value.fault("choose requires option and from")
    }
    return .choose(option: try keys(option, "option"), from: try target(from, "from"))
  }

  /// Reads text, or `{text: …, into: …}`; digits and other plain words are typed as written.
  static func typing(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    guard value.isMapping else { return .type(text: try keys(value, "type"), into: nil) }
    let members = try value.members(of: "type", allowed: ["text", "into"])
    guard let text = members["text"] else { throw value.fault("type requires text") }
    let into = try members["into"].map { node throws(Fault) in try target(node, "into") }
    return .type(text: try keys(text, "text"), into: into)
  }

  private static func keys(_ value: YAMLNode, _ what: String) throws(Fault) -> String {
    guard let text = value.text else { throw value.fault("\(what) must be text, found \(value.kind)") }
    guard (1...1000).contains(text.count) else { throw value.fault("\(what) must have 1 to 1000 characters") }
    return text
  }

  static func selector(_ value: YAMLNode) throws(Fault) -> String {
    let selector = try value.string("selector")
    guard selector.contains(where: { !$0.isWhitespace }) else { throw value.fault("selector is empty") }
    return selector
  }
}

/// Reads the condition of a `wait` step.
enum WaitReader {
  /// Seconds that a wait for a duration may take beyond that duration.
  private static let slack = 5.0

  /// A number of seconds, or a mapping of one condition with its options.
  static func condition(_ value: YAMLNode) throws(Fault) -> Scenario.WaitCondition {
    guard value.isMapping else {
      guard case .number = value.scalar else {
        throw value.fault("wait takes {event: …}, {state: …}, {visible: …}, {seconds: …} or a number of seconds")
      }
      return pause(try value.seconds("wait"))
    }
    let members = try value.members(of: "wait", allowed: ["event", "state", "visible", "seconds", "count", "timeout"])
    let kinds = ["event", "state", "visible", "seconds"].filter { members[$0] != nil }
    guard kinds.count == 1 else {
      throw value.fault("wait needs exactly one of event, state, visible and seconds")
    }
    if kinds != ["event"], let count = members["count"] { throw count.fault("count requires event") }
    if let seconds = members["seconds"] {
      if let timeout = members["timeout"] { throw timeout.fault("timeout requires event, state or visible") }
      return pause(try seconds.seconds("seconds"))
    }
    let timeout = try members["timeout"]?.seconds("timeout") ?? 5
    if let state = members["state"] {
      return Scenario.WaitCondition(.state(try state.choice(MRAIDState.self, "state")), timeout: timeout)
    }
    if let visible = members["visible"] {
      return Scenario.WaitCondition(.visible(try TargetReader.selector(visible)), timeout: timeout)
    }
    let name = try members["event"]?.eventName() ?? ""
    let count = try members["count"]?.count(from: 1) ?? 1
    return Scenario.WaitCondition(.event(name, count: count), timeout: timeout)
  }

  /// Reads a duration to pass: `2.5s` or a number of seconds for the page, `5d` for the app's history.
  static func passing(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    if let text = value.text, text.hasSuffix("d"), let days = Double(text.dropLast()) {
      guard days > 0, days <= 10_000 else {
        throw value.fault("advance must be more than 0 and at most 10000 days, found \(text)")
      }
      return .app(.days(days))
    }
    guard let text = value.text, text.hasSuffix("s"), let number = Double(text.dropLast()) else {
      return .wait(pause(try value.seconds("advance")))
    }
    guard number > 0, number <= 60 else {
      throw value.fault("advance must be more than 0 and at most 60 seconds, found \(text)")
    }
    return .wait(pause(number))
  }

  private static func pause(_ seconds: Double) -> Scenario.WaitCondition {
    Scenario.WaitCondition(.seconds(seconds), timeout: seconds + slack)
  }
}
