import Core
import Testing

@testable import MRAID

@Suite struct BridgeMessageTests {
  @Test func aCallIsReadWithEverythingItSays() {
    let text = #"{"type":"call","name":"open","args":["https://a.example"],"gesture":true,"state":"default"}"#
    let call = BridgeCall(name: "open", arguments: ["https://a.example"], gesture: true, state: .default)
    #expect(BridgeMessage.decode(text) == .call(call))
  }

  @Test func whatACallLeavesOutHasDefaults() {
    #expect(
      BridgeMessage.decode(#"{"type":"call","name":"x","state":"odd","gesture":1}"#) == .call(BridgeCall(name: "x")))
  }

  @Test func listenerErrorsAndVpaidEventsAreRead() {
    #expect(
      BridgeMessage.decode(
        #"{"type":"listenerError","event":"ready","message":"m","file":"f","line":3,"column":-1}"#)
        == .listenerError(event: "ready", message: "m", place: ScriptPlace(file: "f", line: 3)))
    #expect(
      BridgeMessage.decode(#"{"type":"listenerError","event":"ready"}"#)
        == .listenerError(event: "ready", message: "", place: ScriptPlace()))
    #expect(
      BridgeMessage.decode(#"{"type":"vpaid","event":"AdClickThru","args":["u",1]}"#)
        == .vpaid(event: "AdClickThru", arguments: ["u", 1]))
    #expect(BridgeMessage.decode(#"{"type":"dispatch","begins":true}"#) == .dispatch(begins: true))
  }

  static let garbage: [String] = [
    "", " ", "null", "1", "\"call\"", "[]", "{}", "{", #"{"type":"call"}"#, #"{"type":"call","name":""}"#,
    #"{"type":"call","name":7}"#, #"{"type":"vpaid"}"#, #"{"type":"dispatch"}"#, #"{"type":"listenerError"}"#,
    #"{"type":"else","name":"x"}"#, #"{"type":{"type":"call"}}"#, "\u{0}", "\u{FFFD}",
    #"{"type":"call","name":"\ud800"}"#, "1e999", "]]]]",
    String(repeating: "[", count: 200_000), String(repeating: #"{"a":"#, count: 100_000),
    "\"" + String(repeating: "x", count: BridgeMessage.maximumLength) + "\"",
  ]

  @Test(arguments: garbage.indices)
  func garbageIsNoMessage(_ index: Int) {
    #expect(BridgeMessage.decode(Self.garbage[index]) == nil)
  }

  @Test func bracketsInStringsAreNoNesting() {
    let brackets = String(repeating: #"[{\""#, count: 100)
    let text = #"{"type":"call","name":"x","args":["\#(brackets)"]}"#
    let argument = JSONValue.string(String(repeating: #"[{""#, count: 100))
    #expect(BridgeMessage.decode(text) == .call(BridgeCall(name: "x", arguments: [argument])))
  }

  static let commands: [(String, [JSONValue], MRAIDCommand)] = [
    ("expand", [], .expand(url: nil)), ("expand", [nil], .expand(url: nil)),
    ("expand", ["p.html"], .expand(url: "p.html")), ("resize", [["isTrusted": true]], .resize), ("close", [1], .close),
    ("unload", [], .unload), ("initVpaid", [], .initVpaid), ("open", ["u"], .open(url: "u")),
    ("playVideo", ["u"], .playVideo(uri: "u")), ("storePicture", ["u"], .storePicture(uri: "u")),
    ("useCustomClose", [false], .useCustomClose(false)),
    ("setResizeProperties", [], .setResizeProperties(.null)), ("setResizeProperties", [3], .setResizeProperties(3)),
    ("setExpandProperties", [["width": 1]], .setExpandProperties(["width": 1])),
    ("setOrientationProperties", [[:]], .setOrientationProperties([:])),
    ("createCalendarEvent", [["a": 1]], .createCalendarEvent(["a": 1])),
    ("addEventListener", ["ready"], .addEventListener("ready")),
    ("open", [], .misuse(action: "open", message: "open needs a URL string, not nothing")),
    ("open", [["a": 1]], .misuse(action: "open", message: "open needs a URL string, not an object")),
    (
      "expand", [["isTrusted": true]],
      .misuse(action: "expand", message: "expand needs a URL string or nothing, not an object")
    ),
    ("playVideo", [4], .misuse(action: "playVideo", message: "playVideo needs a URL string, not a number")),
    (
      "storePicture", [true], .misuse(action: "storePicture", message: "storePicture needs a URL string, not a boolean")
    ),
    (
      "useCustomClose", ["true"],
      .misuse(action: "useCustomClose", message: "useCustomClose needs true or false, not a string")
    ),
    (
      "setExpandProperties", [],
      .misuse(action: "setExpandProperties", message: "setExpandProperties needs an object, not nothing")
    ),
    (
      "setOrientationProperties", [[]],
      .misuse(action: "setOrientationProperties", message: "setOrientationProperties needs an object, not an array")
    ),
    (
      "createCalendarEvent", ["x"],
      .misuse(action: "createCalendarEvent", message: "createCalendarEvent needs an object, not a string")
    ),
  ]

  @Test(arguments: commands)
  func callsBecomeCommands(_ name: String, _ arguments: [JSONValue], _ command: MRAIDCommand) {
    #expect(BridgeCall(name: name, arguments: arguments).command == command)
  }

  @Test func whatTheBridgeFoundWrongIsMisuse() {
    let call = BridgeCall(name: "addEventListener", arguments: ["x"], problem: "unknown event x")
    #expect(call.command == .misuse(action: "addEventListener", message: "unknown event x"))
  }

  @Test(arguments: ["getState", "supports", "isViewable", "getMaxSize", "removeEventListener", "getSize", "toString"])
  func gettersAndUnknownNamesAreNoCommands(_ name: String) {
    #expect(BridgeCall(name: name).command == nil)
  }
}

@Suite struct BridgeScriptTests {
  private let source = BridgeScript.source(
    channelName: "secret", properties: ["state": "loading"],
    environment: ["sdk": "</script>\u{2028}__GALLEY_CONFIG__"])

  @Test func theConfigurationStandsWhereThePlaceholderWas() {
    #expect(source.contains(#""secret-" + name"#))
    #expect(!source.contains(BridgeScript.linkPlaceholder))
    #expect(source.contains(#""properties":{"state":"loading"}"#))
    #expect(source.hasPrefix("// window.mraid"))
    #expect(source.hasSuffix("});\n"))
  }

  @Test func theConfigurationCannotEndTheScript() {
    #expect(!source.contains("</script"))
    #expect(!source.contains("\u{2028}"))
    #expect(source.contains(#"\u003c/script>\u2028__GALLEY_CONFIG__"#))
  }

  @Test func anotherScriptMayTakeItsPlace() {
    let other = BridgeScript.source(
      channelName: "secret", properties: [:], environment: [:],
      template: "start(\(BridgeScript.placeholder))")
    #expect(other == #"start({"environment":{},"properties":{}})"#)
  }

  @Test func updatesCannotEndAScript() {
    let update = BridgeUpdate(properties: ["state": "default"], events: [MRAIDEvent("error", ["</script>", nil])])
    #expect(
      update.json.text
        == #"{"events":[{"arguments":["\u003c/script>",null],"name":"error"}],"properties":{"state":"default"}}"#
    )
  }

  static let requests: [(String, Bool)] = [
    ("mraid.js", true), ("https://a.example/mraid.js", true), ("https://a.example/x/y/MRAID.JS?v=3#f", true),
    ("file:///ad/mraid.js", true), ("//cdn.example/mraid.js", true), ("galley://bundle/1/mraid.js", true),
    ("../mraid.js", true), ("mraid.js?x=/other.js", true), ("https://a.example/mraid.js/", false),
    ("https://a.example/my-mraid.js", false), ("https://a.example/mraid.min.js", false),
    ("https://a.example/?f=/mraid.js", false), ("https://a.example/#/mraid.js", false), ("https://mraid.js", false),
    ("https://mraid.js/", false), ("data:text/plain,/mraid.js", false), ("", false), ("/", false),
    ("https://a.example/mraid.json", false),
  ]

  @Test(arguments: requests)
  func mraidScriptIsRecognisedByItsPath(_ url: String, _ isRequest: Bool) {
    #expect(MRAIDScriptRequest.matches(url) == isRequest)
  }

  @Test func theServedScriptDoesNothing() {
    #expect(ContainerScript.body.hasPrefix("/*"))
    #expect(ContainerScript.body.hasSuffix("*/\n"))
  }
}
