import Core
import Testing

@Suite("A wrong step is refused with its line")
struct StepRefusalTests {
  @Test(
    "unknown or misshapen steps",
    arguments: [
      ("- tapp: \"#a\"", "unknown step \"tapp\"; did you mean tap?"),
      ("- clos", "unknown step \"clos\"; did you mean close?"),
      ("- Tap: a", "unknown step \"Tap\"; did you mean tap?"),
      ("- frobnicate: 1", "unknown step \"frobnicate\""),
      ("- 5", "unknown step \"5\""),
      ("- tap", "tap needs a value: tap: \"#id\", in quotes since # starts a comment"),
      ("- tap: #id", "tap needs a value: tap: \"#id\", in quotes since # starts a comment"),
      ("- wait:", "wait needs a value: wait: {event: ready}"),
      ("- advance:", "advance needs a value: advance: 2.5s"),
      ("- advance: 61s", "advance must be more than 0 and at most 60 seconds, found 61s"),
      ("- advance: -1s", "advance must be more than 0 and at most 60 seconds, found -1s"),
      ("- advance: soon", "advance must be a number of seconds, found text"),
      ("- advance: 0d", "advance must be more than 0 and at most 10000 days, found 0d"),
      ("- advance: xd", "advance must be a number of seconds, found text"),
      ("- update", "update needs a value: update: 2.0"),
      ("- update: {}", "update needs a version of 1 to 32 characters: update: 2.0"),
      ("- launch: now", "launch takes no value"),
      ("- register: maybe", "register takes no value, or false: register: false"),
      ("- register:", "register needs a value: register: false"),
      ("- fail next requests", "unknown step \"fail next requests\"; did you mean fail next request?"),
      ("- volume", "volume needs a value: volume"),
      ("- close: now", "close takes no value"),
      ("- background: {}", "background takes no value"),
      ("- {tap: a, wait: 1}", "a step has one key, found tap, wait; write each step on a line of its own with a dash"),
      ("- {}", "the step is empty"),
      ("- [tap]", "a step is a word or a mapping of one key, found a list"),
      ("-", "a step is a word or a mapping of one key, found nothing"),
      ("- {[a]: b}", "a key of a step must be a single word or text"),
      ("- {1: b}", "unknown step \"1\""),
    ])
  func shapes(step: String, message: String) throws {
    #expect(try refusal("- close\n\(step)\n") == "scenario.yaml:2: \(message)")
  }

  @Test(
    "waits",
    arguments: [
      ("soon", "wait takes {event: …}, {state: …}, {visible: …}, {seconds: …} or a number of seconds"),
      ("[1]", "wait takes {event: …}, {state: …}, {visible: …}, {seconds: …} or a number of seconds"),
      ("0", "wait must be more than 0 and at most 60 seconds, found 0"),
      ("-1", "wait must be more than 0 and at most 60 seconds, found -1"),
      ("60.5", "wait must be more than 0 and at most 60 seconds, found 60.5"),
      ("{}", "wait needs exactly one of event, state, visible and seconds"),
      ("{timeout: 3}", "wait needs exactly one of event, state, visible and seconds"),
      ("{event: ready, state: expanded}", "wait needs exactly one of event, state, visible and seconds"),
      ("{event: ready, timeout: 0}", "timeout must be more than 0 and at most 60 seconds, found 0"),
      ("{event: ready, timeout: 61}", "timeout must be more than 0 and at most 60 seconds, found 61"),
      ("{event: ready, timeout: \"5\"}", "timeout must be a number of seconds, found text"),
      ("{event: ready, count: 0}", "count must be from 1 to 10000, found 0"),
      ("{event: ready, count: 1.5}", "count must be a whole number, found 1.5"),
      ("{event: ready, count: two}", "count must be a number, found text"),
      ("{event: ready, cout: 2}", "unknown key \"cout\" in wait; did you mean count?"),
      ("{state: expanded, count: 2}", "count requires event"),
      ("{seconds: 1, timeout: 2}", "timeout requires event, state or visible"),
      ("{seconds: true}", "seconds must be a number of seconds, found true"),
      (
        "{state: expandd}",
        "unknown state \"expandd\"; use one of loading, default, expanded, resized, hidden; did you mean expanded?"
      ),
      ("{state: {a: b}}", "state must be one of loading, default, expanded, resized, hidden"),
      ("{event: 5}", "event must be text, found 5"),
      ("{event: \"\"}", "event is empty"),
      ("{event: state change}", "\"state change\" isn't an event name; write stateChange, or mraid/stateChange"),
      (
        "{event: nobody/stateChange}",
        "\"nobody/stateChange\" isn't an event name; write stateChange, or mraid/stateChange"
      ),
      (
        "{event: mriad/error}",
        "\"mriad/error\" isn't an event name; write stateChange, or mraid/stateChange; did you mean mraid?"
      ),
      ("{event: stateChnage}", "there is no event \"stateChnage\"; did you mean stateChange?"),
      ("{event: mraid/eror}", "mraid logs no event \"eror\"; did you mean mraid/error?"),
      ("{event: mraid/console}", "mraid logs no event \"console\"; did you mean page/console?"),
      ("{event: simid/requestPaus}", "simid logs no event \"requestPaus\"; did you mean simid/requestPause?"),
    ])
  func waits(value: String, message: String) throws {
    #expect(try refusal("- wait: \(value)") == "scenario.yaml:1: \(message)")
  }

  @Test(
    "fingers",
    arguments: [
      ("tap: 5", "tap needs a selector in quotes or {x: 10, y: 20}, found 5"),
      ("tap: [1, 2]", "tap needs a selector in quotes or {x: 10, y: 20}, found a list"),
      ("tap: \"  \"", "selector is empty"),
      ("tap: {x: 1}", "tap needs both x and y"),
      ("tap: {x: 1, y: -1}", "y must be from 0 to 10000, found -1"),
      ("tap: {x: left, y: 1}", "x must be a number, found text"),
      ("tap: {x: 1, y: 1, z: 1}", "unknown key \"z\" in tap; did you mean x?"),
      ("tap: {selector: a, x: 1, y: 2}", "tap takes a selector or a point, not both"),
      ("tap: {selector: 7}", "selector must be text, found 7"),
      ("swipe: left", "swipe must be a mapping, found text"),
      ("swipe: {from: a}", "swipe requires from and to, or over and direction"),
      ("swipe: {over: a}", "swipe requires from and to, or over and direction"),
      ("swipe: {over: a, direction: left, from: b}", "swipe requires from and to, or over and direction"),
      ("swipe: {over: {x: 1, y: 1}, direction: left}", "selector must be text, found a mapping"),
      ("choose: Blue", "choose must be a mapping, found text"),
      ("choose: {option: Blue}", "choose requires option and from"),
      ("choose: {option: \"\", from: a}", "option must have 1 to 1000 characters"),
      ("swipe: {from: a, to: 5}", "to needs a selector in quotes or {x: 10, y: 20}, found 5"),
      ("type: [a]", "type must be text, found a list"),
      ("type: \"\"", "type must have 1 to 1000 characters"),
      ("type: {into: a}", "type requires text"),
      ("type: {text: a, in: b}", "unknown key \"in\" in type"),
    ])
  func fingers(step: String, message: String) throws {
    #expect(try refusal("- \(step)") == "scenario.yaml:1: \(message)")
  }

  @Test(
    "what the host does",
    arguments: [
      ("rotate: upside-down", "unknown orientation \"upside-down\"; use one of portrait, landscape"),
      (
        "rotate: landscap",
        "unknown orientation \"landscap\"; use one of portrait, landscape; did you mean landscape?"
      ),
      ("volume: 101", "volume must be from 0 to 100, found 101"),
      ("volume: -0.5", "volume must be from 0 to 100, found -0.5"),
      ("volume: loud", "volume must be a number, found text"),
      ("scroll: -1", "scroll must be from 0 to 100000, found -1"),
      ("scroll: {by: 3}", "unknown key \"by\" in scroll"),
      ("scroll: {}", "scroll needs to: {to: 300}"),
      ("evaluate: 5", "evaluate must be text, found 5"),
      ("evaluate: \"\"", "evaluate is empty"),
      ("screenshot: End Card", "a screenshot's name is 1 to 64 of a-z, 0-9 and -"),
      ("screenshot: ../../up", "a screenshot's name is 1 to 64 of a-z, 0-9 and -"),
      ("screenshot: [a]", "a screenshot's name is 1 to 64 of a-z, 0-9 and -"),
      ("screenshot: \"\"", "a screenshot's name is 1 to 64 of a-z, 0-9 and -"),
    ])
  func host(step: String, message: String) throws {
    #expect(try refusal("- \(step)") == "scenario.yaml:1: \(message)")
  }

  @Test(
    "expectations",
    arguments: [
      ("expanded", "expect must be a mapping, found text"),
      ("{}", "expect needs at least one of state, event, events, property, evaluate"),
      ("{states: []}", "unknown key \"states\" in expect; did you mean state?"),
      ("{state: [expanded]}", "state must be one of loading, default, expanded, resized, hidden"),
      ("{event: {count: 1}}", "event needs a name"),
      ("{event: {name: ready, count: -1}}", "count must be from 0 to 10000, found -1"),
      ("{event: {name: ready, details: {}}}", "unknown key \"details\" in event; did you mean detail?"),
      ("{event: {name: ready, detail: 5}}", "detail must be a mapping, found 5"),
      ("{events: ready}", "events must be a list, found text"),
      ("{events: [5]}", "event must be text, found 5"),
      ("{property: 5}", "property must be a mapping such as {currentPosition.width: 320}, found 5"),
      ("{property: {\"a..b\": 1}}", "\"a..b\" isn't a property; write a path such as currentPosition.width"),
      (
        "{property: {\"getState()\": 1}}", "\"getState()\" isn't a property; write a path such as currentPosition.width"
      ),
      ("{evaluate: \"a\"}", "evaluate must be a mapping such as {\"document.title\": \"Shop\"}, found text"),
      ("{evaluate: {\" \": 1}}", "the expression is empty"),
    ])
  func expectations(value: String, message: String) throws {
    #expect(try refusal("- expect: \(value)") == "scenario.yaml:1: \(message)")
  }

  @Test("names the line of the wrong member, not of its step")
  func memberLine() throws {
    let text = "- close\n- wait:\n    event: ready\n    timout: 3\n"
    #expect(try refusal(text) == "scenario.yaml:4: unknown key \"timout\" in wait; did you mean timeout?")
  }

  @Test("names the source as it was given")
  func source() throws {
    #expect(
      try refusal("- tapp: a", source: "ads/one.yaml") == "ads/one.yaml:1: unknown step \"tapp\"; did you mean tap?")
  }

  @Test("two screenshots of one name are refused")
  func duplicateScreenshots() throws {
    let text = "- screenshot: a\n- close\n- screenshot: a"
    #expect(try refusal(text) == "scenario.yaml:3: screenshot \"a\" already exists on line 1")
  }
}

@Suite("A suggestion")
struct SuggestionTests {
  private let words = ["wait", "tap", "type", "swipe", "background", "foreground"]

  @Test(
    "is the nearest word within two slips",
    arguments: [
      ("tapp", "tap"), ("atp", "tap"), ("TAP", "tap"), ("wiat", "wait"), ("backgroud", "background"), ("tpye", "type"),
      ("swpie", "swipe"), ("foregruond", "foreground"),
    ])
  func near(word: String, expected: String) {
    #expect(Suggestion.nearest(to: word, among: words) == expected)
    #expect(Suggestion.hint(for: word, among: words) == "; did you mean \(expected)?")
  }

  @Test("is none when nothing is near", arguments: ["", "x", "click", "ground", String(repeating: "a", count: 9999)])
  func far(word: String) {
    #expect(Suggestion.nearest(to: word, among: words) == nil)
    #expect(Suggestion.hint(for: word, among: words) == "")
  }

  @Test("is none among no words")
  func nothing() {
    #expect(Suggestion.nearest(to: "tap", among: []) == nil)
  }
}
