import AdExperience
import Foundation
import Jobs
import MRAID
import Testing
import VAST

@testable import Rendering

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
    ])
  func read(text: String, message: PlayerMessage) { #expect(PlayerMessage(text) == message) }

  @Test(
    "is nothing else",
    arguments: [
      "", "{}", "[]", #"{"player": "dance"}"#, #"{"player": "time"}"#, #"{"player": "time", "seconds": "1"}"#,
      #"{"player": "iconClicked", "place": 0.5}"#, #"{"observed": "console"}"#,
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
    // What the ad says can't end the script.
    #expect(html.components(separatedBy: "</script>").count == 2)
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
