internal import MRAID

/// Reads one step: a bare word, or a mapping of one key.
enum StepReader {
  /// The words a step can start with.
  enum Word: String, CaseIterable {
    case wait, advance, tap, swipe, type, choose, close, rotate, background, foreground, volume, scroll, evaluate
    case screenshot, expect, launch, update, register, offline, online
    case failNextRequest = "fail next request"

    /// Whether the word stands alone.
    var isBare: Bool {
      [.close, .background, .foreground, .launch, .offline, .online, .failNextRequest].contains(self)
    }

    /// Whether it means something without a value as well.
    var mayBeBare: Bool { isBare || self == .register }
  }

  /// The step's action, or a fault that says how to write it.
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
        pairs.isEmpty ? "the step is empty" : "a step has one key, found \(keys); give each its own dash")
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
    case .tap: return .tap(try TargetReader.target(value, "tap"))
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

  /// The word alone is itself the value.
  private static func isRegistered(_ value: YAMLNode) throws(Fault) -> Bool {
    if value.text == Word.register.rawValue { return true }
    guard case .bool(let isRegistered)? = value.scalar else {
      throw value.fault("register stands alone, or as register: false")
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

  /// An example for a step that lacks its value.
  private static func usage(_ word: Word) -> String {
    switch word {
    case .wait: "wait: {event: ready}"
    case .advance: "advance: 2.5s"
    case .tap: "tap: \"#id\", in quotes since # starts a comment"
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
