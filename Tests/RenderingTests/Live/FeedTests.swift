import Core
import Foundation
import MRAID
import Pixels
import RenderModel
import Testing

extension LiveWebKit {
  /// A feed of six posts, 400 dip each, with an ad of 300x250 after every second.
  @Suite("A feed")
  struct FeedTests {
    private let owner: TemporaryFolder

    init() throws {
      owner = try TemporaryFolder()
      try owner.write("users.json", #"[{"id": 1, "name": "Ada Byron", "username": "ada"}]"#)
      try owner.write("albums.json", #"[{"id": 1, "userId": 1, "title": "Engines"}]"#)
      let pictures = (1...6).map { #"{"id": \#($0), "albumId": 1, "title": "Picture \#($0)", "url": "p.svg"}"# }
      try owner.write("pictures.json", "[\(pictures.joined(separator: ",\n"))]")
      try owner.write(
        "p.svg",
        #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 10"><rect width="16" height="10" fill="navy"/></svg>"#
      )
    }

    /// Returns an ad that logs its events, and acts when it is touched.
    private func ad(_ name: String, onTap: String = "mraid.expand()") -> (name: String, html: String) {
      (
        name,
        """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><script src="mraid.js"></script>
        <body style="margin:0;background:#c33"><div id="touch" style="height:250px">\(name)</div><script>
        for (const event of ["exposureChange", "stateChange"])
          mraid.addEventListener(event, (...all) => console.log(`\(name) ${event} ${all[0]}`));
        document.getElementById("touch").onclick = () => { \(onTap); };
        </script></body>
        """
      )
    }

    private func render(
      rules: String = "", _ ads: [(name: String, html: String)], _ steps: String?
    ) async throws -> RenderedCreative {
      let feed = """
        sources: {users: users.json, albums: albums.json, pictures: pictures.json}
        ads: {first: {after: 2, as: top}, then: {every: 2, as: more}, distance: 10, rotate: false}
        requests: {tries: 2, delay: 0.05}
        """
      try owner.write("feed.yaml", rules.isEmpty ? feed : feed.replacing("rotate: false", with: rules))
      for ad in ads { try owner.write("\(ad.name).html", ad.html) }
      var options = TestRender.Options()
      options.scenario = steps
      options.feed = ("\(owner.path)/feed.yaml", ads.map { "\(owner.path)/\($0.name).html" })
      return try await TestRender.shared.render(path: owner.path, options)
    }

    private func cells(_ result: RenderedCreative, _ event: String) -> [String] {
      result.events("feed/\(event)").compactMap { $0.detail["cell"]?.string }
    }

    @Test func `ads load when their cells come near, in turn, and none before`() async throws {
      let result = try await render([ad("one"), ad("two")], "- scroll: 600\n- scroll: 1600\n- scroll: 9000\n")
      #expect(result.record.outcome == .completed)
      #expect(result.record.placement?.kind == .feed)
      #expect(cells(result, "adRequested") == ["ad-1", "ad-2", "ad-3"])
      let top = try #require(result.events("host/scroll").first)
      #expect(result.events("feed/adRequested").allSatisfy { $0.seq > top.seq })
      let loads = result.events("network/resource").compactMap { $0.detail["url"]?.string }
      #expect(loads.filter { $0.hasSuffix(".html") }.map { $0.suffix(8) } == ["one.html", "two.html", "one.html"])
      #expect(result.record.screenshots.last?.name.hasSuffix("whole-feed") == true)
    }

    @Test func `a creative is told what can be seen of it while the feed scrolls`() async throws {
      let result = try await render([ad("one")], "- scroll: 700\n- scroll: 1500\n")
      let seen = result.events("mraid/exposureChange").filter { $0.detail["ad"]?.string == "creative-1" }
        .compactMap { $0.detail["arguments"]?[0]?.number }
      #expect(seen.count > 2)
      #expect(seen.contains(100) && seen.last == 0)
    }

    @Test func `an ad expands over the feed and comes back to its cell`() async throws {
      let result = try await render(
        [ad("one")],
        """
        - scroll: 600
        - tap: "#touch"
        - wait: {state: expanded}
        - expect: {evaluate: {"mraid.getCurrentPosition().width === mraid.getMaxSize().width": true}}
        - close
        - wait: {state: default}
        - expect: {evaluate: {"mraid.getCurrentPosition().width": 300}}
        """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.states == [.default, .expanded, .default])
      #expect(result.names.contains("ad/adDidExpand") && result.names.contains("ad/adDidCollapse"))
    }

    @Test func `scrolling back shows the same ad without another request`() async throws {
      let result = try await render([ad("one")], "- scroll: 600\n- scroll: 9000\n- scroll: 600\n")
      #expect(cells(result, "adRequested").filter { $0 == "ad-1" }.count == 1)
      #expect(result.events("ad/adDidDisplay").filter { $0.detail["ad"]?.string == "creative-1" }.count == 1)
    }

    @Test func `a cell whose ad fails collapses, and what is seen stays in its place`() async throws {
      // The first ad is just above the window when it fails, the second well below its top.
      let result = try await render([ad("one")], "- offline\n- scroll: 1130\n")
      #expect(cells(result, "collapsed") == ["ad-1", "ad-2"])
      #expect(result.events("feed/requestFailed").count == 4)
      let kept = try #require(result.events("feed/scrollOffsetPreserved").first)
      #expect(kept.detail["from"]?.number == 1_130 && (kept.detail["to"]?.number ?? 9_999) < 1_130)
      let loading = try #require(result.record.screenshots.firstIndex { $0.name.hasSuffix("feed-2-loading") })
      let (before, after) = (try result.picture(loading + 1), try result.picture(loading + 2))
      #expect(before != after)
      let upper = PixelRect(x: 0, y: 0, width: before.width, height: before.height / 2)
      #expect(before.crop(upper) == after.crop(upper))
    }

    @Test func `a creative that can't be loaded costs its own cell, and the next comes in the next`() async throws {
      try owner.write(
        "feed.yaml",
        """
        sources: {users: users.json, albums: albums.json, pictures: pictures.json}
        ads: {first: {after: 2}, then: {every: 2}, rotate: false}
        requests: {tries: 2, delay: 0.01}
        """)
      try owner.write("one.html", ad("one").html)
      var options = TestRender.Options()
      options.scenario = "- scroll: 1500\n"
      options.feed = ("\(owner.path)/feed.yaml", [try LocalServer.refusedAddress(), "\(owner.path)/one.html"])
      let result = try await TestRender.shared.render(path: owner.path, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(cells(result, "collapsed") == ["ad-1"])
      #expect(result.events("feed/requestFailed").count == 2)
      #expect(result.events("ad/failedToLoad").compactMap { $0.detail["ad"]?.string } == ["creative-1", "creative-2"])
      #expect(result.events("ad/adDidDisplay").compactMap { $0.detail["ad"]?.string } == ["creative-3"])
    }

    @Test func `another creative has its turn while the ad is on the screen, and only then`() async throws {
      let result = try await render(
        rules: "rotate: 1", [ad("one"), ad("two")],
        "- scroll: 600\n- wait: {event: feed/rotated}\n- wait: {event: ad/adDidDisplay, count: 2}\n- scroll: 0\n- wait: 2\n"
      )
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(cells(result, "rotated").allSatisfy { $0 == "ad-1" })
      let stopped = try #require(result.events("feed/rotationStopped").last)
      #expect(result.events("feed/rotated").allSatisfy { $0.seq < stopped.seq })
      let left = try #require(result.events("mraid/exposureChange").last { $0.detail["arguments"]?[0]?.number == 0 })
      #expect(stopped.seq < left.seq)
      #expect(stopped.detail["inWindow"] == true, "it stops just before the ad leaves")
    }

    @Test func `an ad that takes itself away is followed by the next`() async throws {
      let result = try await render(
        [ad("one", onTap: "mraid.unload()"), ad("two")],
        "- scroll: 600\n- tap: \"#touch\"\n- wait: {event: ad/adDidDisplay, count: 2}\n")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("ad/adDidClose").count == 1)
    }

    @Test func `a source that is broken names its line and is the caller's fault`() async throws {
      try owner.write("albums.json", "[\n{\"id\": 1,\n\"title\": 5}]")
      let result = try await render([ad("one")], nil)
      #expect(result.record.outcome == .failed)
      #expect(result.record.code == "feed-source-invalid" && result.record.origin == .request)
      #expect(result.record.message == "albums.json:2: record 1 has no userId")
    }

    @Test func `sources come from addresses as well, with the feed's token and as often as it is tried`() async throws {
      let server = try LocalServer { path in
        switch path {
        case "/users.json": .init(type: "application/json", body: #"[{"id": 1, "name": "A B", "username": "ab"}]"#)
        case "/albums.json": .init(type: "application/json", body: #"[{"id": 1, "userId": 1, "title": "Album"}]"#)
        case "/pictures.json": .init(body: #"[{"id": 1, "albumId": 1, "title": "One"}]"#)
        default: .init(status: 404, body: "")
        }
      }
      let sources = "users: \(server.url("/users.json")), albums: \(server.url("/albums.json"))"
      try owner.write("ad.html", "<p>ad</p>")
      func render(_ pictures: String) async throws -> RenderedCreative {
        try owner.write(
          "feed.yaml",
          "sources: {\(sources), pictures: \(server.url("/" + pictures))}\nrequests: {tries: 2, delay: 0.01, token: abc}"
        )
        var options = TestRender.Options()
        options.feed = ("\(owner.path)/feed.yaml", ["\(owner.path)/ad.html"])
        return try await TestRender.shared.render(path: owner.path, options)
      }
      let found = try await render("pictures.json")
      #expect(found.record.outcome == .completed, "\(found.record.message ?? "")")
      #expect(found.events("feed/posts").first?.detail["count"]?.number == 1)
      #expect(server.requests.count == 3)
      #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer abc" })
      #expect(found.events("feed/requestSent").first?.detail["headers"] == ["Authorization"])
      let missing = try await render("none.json")
      #expect(missing.record.code == "feed-source-missing")
      #expect(missing.record.message?.hasSuffix("none.json answered with status 404") == true)
      #expect(missing.events("feed/requestSent").count == 2)
    }

    @Test func `an ad reads nothing of the feed's folder but its pictures`() async throws {
      let spy = """
        <!doctype html><script src="mraid.js"></script><script>
        const see = async (file) => {
          const at = new URL(location.href).protocol + "//" + location.host.replace(/-[0-9]+$/, "") + "/" + file;
          console.log(file, (await fetch(at)).status);
        };
        (async () => { await see("p.svg"); await see("users.json"); await see("feed.yaml"); })();
        </script>
        """
      let result = try await render([("spy", spy)], "- scroll: 600\n- wait: {event: page/console, count: 3}\n")
      #expect(Array(result.console.prefix(3)) == ["p.svg 200", "users.json 404", "feed.yaml 404"])
    }

    @Test func `a film plays in its cell while it is seen, goes full screen and leaves its end card there`()
      async throws
    {
      let card = """
        <Creatives><Creative><CompanionAds><Companion width="300" height="250">
        <HTMLResource><![CDATA[<body style="margin:0;background:#06c">]]></HTMLResource></Companion></CompanionAds></Creative>
        </Creatives>
        """
      try owner.write("film.xml", VideoAd.inLine(more: card))
      try owner.write(
        "feed.yaml",
        """
        sources: {users: users.json, albums: albums.json, pictures: pictures.json}
        ads: {first: {after: 2}, then: false, rotate: false}
        """)
      var options = TestRender.Options()
      options.limits.timeout = 60
      options.scenario = """
        - scroll: 600
        - wait: {event: vast/firstQuartile}
        - tap: "#full-screen"
        - wait: {event: vast/playerExpand}
        - close
        - wait: {event: vast/playerCollapse}
        - scroll: 0
        - expect: {events: [{name: vast/pause, count: 1}, {name: vast/midpoint, count: 0}]}
        - scroll: 600
        - wait: {event: vast/companionView}
        """
      options.feed = ("\(owner.path)/feed.yaml", ["\(owner.path)/film.xml"])
      let result = try await TestRender.shared.render(path: owner.path, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let told = result.events.filter { $0.source == .vast && $0.name != "departure" }
      let moments = told.map(\.name).filter { !["mute", "unmute"].contains($0) }
      let expected = [
        "ad", "impression", "creativeView", "start", "firstQuartile", "playerExpand", "playerCollapse", "pause",
        "resume", "midpoint", "thirdQuartile", "complete", "companionView",
      ]
      #expect(moments == expected)
      #expect(told.allSatisfy { $0.detail["ad"] == "creative-1" })
      let place = try #require(result.record.screenshots.firstIndex { $0.name.hasSuffix("end-card") })
      let last = try result.picture(place + 1, ad: true)
      #expect(last[last.width / 2, last.height / 2] == Color(rgb: 0x0066CC))
    }

    @Test func `a cell's turn begins before the film in it plays, however soon its player answers`() async throws {
      try owner.write("film.xml", VideoAd.inLine())
      try owner.write(
        "feed.yaml",
        """
        sources: {users: users.json, albums: albums.json, pictures: pictures.json}
        ads: {first: {after: 2}, then: false}
        """)
      var options = TestRender.Options()
      options.scenario = """
        - wait: 1
        - scroll: 600
        - wait: {event: vast/start}
        """
      options.feed = ("\(owner.path)/feed.yaml", ["\(owner.path)/film.xml"])
      let result = try await TestRender.shared.render(path: owner.path, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let order = result.events.map(\.name).filter { ["rotationStarted", "impression", "start"].contains($0) }
      #expect(order == ["rotationStarted", "impression", "start"])
    }

    @Test func `ads that eat memory or hang collapse their own cells, and the next one lives on`() async throws {
      let eater = """
        <!doctype html><script src="mraid.js"></script><script>
        const kept = [];
        const eat = () => { kept.push(new Uint8Array(64 << 20).fill(7)); };
        mraid.addEventListener("exposureChange", (share) => { if (share > 0) setInterval(eat, 1); });
        </script>
        """
      try owner.write(
        "feed.yaml",
        """
        sources: {users: users.json, albums: albums.json, pictures: pictures.json}
        ads: {first: {after: 1}, then: {every: 1}, distance: 10, rotate: false}
        """)
      let hanger = """
        <!doctype html><script src="mraid.js"></script><script>
        mraid.addEventListener("exposureChange", (share) => { while (share > 0) {} });
        </script>
        """
      try owner.write("eater.html", eater)
      try owner.write("hanger.html", hanger)
      try owner.write("one.html", ad("one").html)
      var options = TestRender.Options()
      options.limits.memory = 700
      options.limits.timeout = 60
      options.scenario = """
        - scroll: 700
        - wait: {event: feed/adLost}
        - scroll: 900
        - wait: {event: feed/adLost, count: 2, timeout: 20}
        - scroll: 1300
        - tap: "#touch"
        - wait: {state: expanded}
        """
      let turns = ["eater", "hanger"] + Array(repeating: "one", count: 4)
      options.feed = ("\(owner.path)/feed.yaml", turns.map { "\(owner.path)/\($0).html" })
      let result = try await TestRender.shared.render(path: owner.path, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(cells(result, "adLost") == ["ad-1", "ad-2"] && cells(result, "collapsed") == ["ad-1", "ad-2"])
      #expect(result.events("feed/adLost").map { $0.detail["reason"] } == ["memory-exceeded", "unresponsive"])
      #expect(result.record.states.contains(.expanded))
      #expect(result.record.warnings.contains { $0.hasPrefix("creative-1 in ad-1 was lost") })
    }

    @Test func `without a scenario the whole feed is gone through`() async throws {
      let result = try await render([ad("one")], nil)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("ad/adDidDisplay").count == 3)
      let whole = try #require(result.record.screenshots.last)
      #expect(whole.height > (result.record.screenshots.first?.height ?? 0))
    }
  }
}
