import AdManager
import AdResponses
import Core
import Device
import Foundation
import RenderModel
import Testing

@testable import Hosting

@Suite("A page's message")
struct PageMessageTests {
  @Test("is read", arguments: ["console", "exception", "rejection", "violation", "socket"])
  func known(name: String) {
    let message = PageMessage(#"{"observed":"\#(name)","detail":{"text":"x"}}"#)
    #expect(message?.kind.rawValue == name)
    #expect(message?.detail == ["text": "x"])
  }

  @Test("needs no detail")
  func withoutDetail() {
    #expect(PageMessage(#"{"observed":"console"}"#)?.detail == [:])
  }

  @Test(
    "is none when it is garbage",
    arguments: [
      "", "null", "[]", "{", "{}", "\"console\"", "[\"observed\"]", #"{"observed":null}"#, #"{"observed":1}"#,
      #"{"observed":["console"]}"#, #"{"observed":"screenshot","detail":{}}"#, #"{"observed":"Console"}"#,
      #"{"type":"call","name":"expand"}"#, "\u{0}", "{\"observed\":\"console\"}x", "NaN",
    ])
  func garbage(text: String) {
    #expect(PageMessage(text) == nil)
  }

  @Test("is none when it is too long or too deep")
  func extremes() {
    let long = String(repeating: "a", count: 1_000_000)
    #expect(PageMessage(#"{"observed":"console","detail":{"text":"\#(long)"}}"#) == nil)
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(PageMessage(#"{"observed":"console","detail":\#(deep)}"#) == nil)
  }
}

@Suite("The scripts a page starts with")
struct PageScriptsTests {
  private let device = DeviceCatalogue.standard.devices[0]

  @Test("have secrets of their own each render")
  func secrets() {
    let scripts = (0..<20).map { _ in PageScripts(device: device) }
    #expect(Set(scripts.flatMap { [$0.channel, $0.task] }).count == 40)
    #expect(
      scripts.allSatisfy {
        $0.channel.count > 12 && $0.channel.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      })
  }

  @Test("have every placeholder filled")
  func filled() {
    for script in PageScripts(device: device, isVirtualTime: true).everyFrame { #expect(!script.contains("__GALLEY_")) }
  }

  @Test("show an address in the browser's page without letting it become markup")
  func browserPage() {
    let page = PageScripts.browserPage(
      what: "Opens", url: #"https://x.example/"><script>alert(1)</script>&"#, note: "n")
    let html = String(decoding: page, as: UTF8.self)
    #expect(!html.contains("<script>"))
    #expect(html.contains("https://x.example/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"))
    #expect(!html.contains("__GALLEY_"))
  }
}

@Suite("What a player's page posts")
struct PlayerMessageTests {
  @Test(
    "is read",
    arguments: [
      (#"{"player": "ready", "duration": 4.5}"#, PlayerMessage.ready(duration: 4.5)),
      (#"{"player": "ready", "duration": null}"#, .ready(duration: nil)),
      (#"{"player": "playing"}"#, .report(.playing)), (#"{"player": "paused"}"#, .report(.paused)),
      (#"{"player": "ended"}"#, .report(.ended)), (#"{"player": "clicked"}"#, .report(.clicked)),
      (#"{"player": "skipped"}"#, .report(.skipped)), (#"{"player": "fullScreen"}"#, .report(.fullScreen)),
      (#"{"player": "time", "seconds": 1.25}"#, .report(.time(1.25))),
      (#"{"player": "time", "seconds": 1.25, "turn": 2}"#, .report(.time(1.25), turn: 2)),
      (#"{"player": "clicked", "turn": 2}"#, .report(.clicked)),
      (#"{"player": "ended", "turn": 0.5}"#, .report(.ended)),
      (#"{"player": "muted", "muted": true}"#, .report(.muted(true))),
      (#"{"player": "failed", "reason": "no"}"#, .report(.failed("no"))),
      (#"{"player": "iconShown", "place": 0}"#, .report(.iconShown(0))),
      (#"{"player": "iconClicked", "place": 2}"#, .report(.iconClicked(2))),
      (#"{"player": "played", "turn": 1}"#, .report(.played, turn: 1)),
      (#"{"player": "waits"}"#, .report(.interactive(.waits))),
      (
        #"{"player": "simidClick", "opens": true, "url": "https://a.example", "x": 3, "y": 4}"#,
        .report(.interactive(.click(url: "https://a.example", opens: true, place: Point(x: 3, y: 4))))
      ),
      (#"{"player": "simidClick"}"#, .report(.interactive(.click(url: nil, opens: false, place: nil)))),
      (#"{"player": "simidTracking", "urls": ["a", 7]}"#, .report(.interactive(.tracking(["a"])))),
      (
        #"{"player": "simidError", "code": 1205, "message": "m", "fatal": true}"#,
        .report(.interactive(.error(code: 1_205, message: "m", isFatal: true)))
      ),
      (#"{"player": "simidExpanded", "expanded": true}"#, .report(.interactive(.expanded(true)))),
      (#"{"player": "simidOver", "how": "end", "turn": 2}"#, .report(.interactive(.over(.end)), turn: 2)),
      (#"{"player": "simidOver", "how": "skip", "turn": 2}"#, .report(.interactive(.over(.skip)))),
      (
        #"{"player": "simid", "name": "init", "detail": {"from": "player"}}"#,
        .simid(name: "init", detail: ["from": "player"])
      ),
    ])
  func read(text: String, message: PlayerMessage) { #expect(PlayerMessage(text) == message) }

  @Test(
    "is nothing else",
    arguments: [
      "", "{}", "[]", #"{"player": "dance"}"#, #"{"player": "time"}"#, #"{"player": "time", "seconds": "1"}"#,
      #"{"player": "iconClicked", "place": 0.5}"#, #"{"observed": "console"}"#,
      #"{"player": "simidOver", "how": "away"}"#, #"{"player": "simidError", "code": 200}"#,
      #"{"player": "simidNavigation"}"#, #"{"player": "simid", "name": "a b", "detail": {}}"#,
      #"{"player": "simid", "name": "init", "detail": 7}"#,
    ])
  func refused(text: String) { #expect(PlayerMessage(text) == nil) }
}

@Suite("The player's page")
struct PlayerPageTests {
  private func settings(_ film: VASTLinear) throws -> JSONValue {
    let rule = AddressRule(addresses: PageAddresses(host: "ad"), reach: .none)
    let page = PlayerPage(
      film: film, source: try rule.judge("creative://ad/</script>.webm"), isInterstitial: true, isMuted: false
    ) { try? rule.judge("creative://ad/\($0)") }
    let html = String(decoding: page.html(channel: "channel"), as: UTF8.self)
    #expect(!html.contains("__GALLEY_"))
    // What the ad says can't end either of the two scripts.
    #expect(html.components(separatedBy: "</script>").count == 3)
    let line = try #require(html.split(separator: "\n").first { $0.contains("const settings = ") })
    let json = line.drop { $0 != "{" }.dropLast()
    return try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
  }

  @Test("knows when its film may be skipped and whether it leads somewhere")
  func film() throws {
    var film = VASTLinear()
    film.duration = 8
    film.skipOffset = .share(0.25)
    film.clickThrough = "https://larch.example"
    let known = try settings(film)
    #expect(known["skip"] == 2)
    #expect(known["duration"] == 8)
    #expect(known["click"] == true)
    #expect(known["muted"] == false)
    #expect(known["source"] == "creative://ad/</script>.webm")
    let plain = try settings(VASTLinear())
    #expect(plain["skip"] == .null)
    #expect(plain["click"] == false)
    #expect(plain["icons"] == [])
  }
}
