import Testing

@testable import MRAID

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
    #expect(MRAIDScriptRequest.body.hasPrefix("/*"))
    #expect(MRAIDScriptRequest.body.hasSuffix("*/\n"))
  }
}
