import Foundation
import Testing

extension ServerTier {
  /// Server with real workers, over a socket.
  @Suite(.timeLimit(.minutes(3))) struct ServeTests {
    private let program: Program
    private let pages: LoopbackServer

    init() throws {
      program = try Program()
      // The first time a page waits for its picture; later renders of it get an answer.
      pages = try LoopbackServer { path, time in
        switch path {
        case "/waits": .init(body: "<p>ad<script src=/picture></script>")
        case "/stays": .init(body: "<p>ad<script src=/never></script>")
        case "/a", "/b", "/c": .init(body: "<p>ad")
        case "/never": nil
        case "/picture" where time == 1: nil
        case "/hook" where time == 1: .init(status: "500 Oops")
        default: .init(type: "text/plain")
        }
      }
    }

    /// Renders an ad with random numbers and dates, which are those of its baseline.
    @Test func cacheBustersChangeNothing() async throws {
      let server = try await RunningServer(program)
      let markup = """
        <h1></h1><script>document.querySelector("h1").textContent = new Date().toISOString();
        console.log(Math.random(), Date.now())</script>
        """
      var ad: [String: Any] = ["markup": markup, "size": "333x77", "name": "busy"]
      let first = try await server.render(ad.merging(["date": "2026-03-04T05:06:07Z"]) { $1 })
      #expect(first.renderStatus == "completed", "\(first.text)")
      #expect(try await server.send("PUT", "/v1/baselines/busy/iphone-15.333x77", ["render": first.id]).status == 201)
      for (seed, comparison) in [(nil, "unchanged"), (2, "changed")] {
        ad["seed"] = seed
        let next = try await server.render(ad)
        let review = try await server.send("GET", "/v1/renders/\(next.id)/review")
        #expect(review.json["comparison"] as? String == comparison, "\(review.text)")
        let log = try await server.send("GET", "/v1/renders/\(next.id)/events")
        #expect(log.text.contains(" 1772600767"), "\(log.text)")
      }
    }

    @Test func rendersWhatItIsSentAndTellsAllAboutIt() async throws {
      let server = try await RunningServer(program)
      let done = try await server.render(["markup": "<h1>ad</h1>", "size": "300x250", "checks": true, "name": "h1"])
      #expect(done.status == 200)
      #expect(done.headers["preference-applied"] == "wait=80")
      #expect(done.renderStatus == "completed")
      let base = "/v1/renders/\(done.id)"
      let screenshot = try await server.send("GET", "\(base)/screenshots/001-default")
      #expect(screenshot.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      for type in [
        "application/json", "text/html", "application/xml", "application/sarif+json", "application/har+json",
      ] {
        let report = try await server.send("GET", "\(base)/report", headers: ["Accept": type])
        #expect(report.status == 200 && report.headers["content-type"] == type && !report.body.isEmpty)
      }
      let trace = try await server.send("GET", "\(base)/trace")
      #expect(trace.status == 200 && trace.headers["content-type"] == "application/zip")
      #expect(trace.body.starts(with: [0x50, 0x4B, 3, 4]))
      let events = try await server.send("GET", "\(base)/events").text.split(separator: "\n")
      #expect(events.first?.contains("\"name\":\"load\"") == true)
      let live = try await server.send("GET", "\(base)/events", headers: ["Accept": "text/event-stream"]).text
      #expect(live.components(separatedBy: "event: log\n").count == events.count + 1)
      let rest = try await server.send(
        "GET", "\(base)/events", headers: ["Accept": "text/event-stream", "Last-Event-ID": "1:\(events.count - 2)"]
      ).text
      #expect(rest.components(separatedBy: "event: log\n").count == 2)
      let list = try await server.send("GET", "/v1/renders?q=h1").json["renders"] as? [[String: Any]]
      #expect(list?.map { $0["id"] as? String } == [done.id])
      #expect(try await server.send("DELETE", base).status == 204)
      #expect(try await server.send("GET", base).code == "resource-missing")
    }

    @Test func checksAPlayableInTheHostsOfItsNetworks() async throws {
      let server = try await RunningServer(program)
      let markup = "<button id=b style='width:100vw;height:50vh' onclick='FbPlayableAd.onCTAClick()'>Install</button>"
      let done = try await server.render([
        "markup": markup, "name": "game", "playables": true, "profiles": ["meta", "mintegral"],
        "explore": ["actions": 2],
      ])
      #expect(done.renderStatus == "completed", "\(done.text)")
      let base = "/v1/renders/\(done.id)"
      let report = try await server.send("GET", "\(base)/report", headers: ["Accept": "application/json"])
      let creatives = try #require(report.json["creatives"] as? [[String: Any]])
      #expect(creatives.map { $0["name"] as? String } == ["game/meta", "game/mintegral"])
      let rows = creatives.compactMap { ($0["acceptance"] as? [[String: Any]])?.first }
      #expect(rows.map { $0["asked"] as? String } == ["code", nil])
      let page = try await server.send("GET", "\(base)/report", headers: ["Accept": "text/html"])
      #expect(page.text.contains("<th scope=\"row\">game</th>"))
      #expect(page.text.contains("<td class=\"unasked\"><a href=\"#b1-n2\">not asked (no)</a></td>"))
      #expect(try await server.send("GET", "\(base)/screenshots/001-default").status == 200)
    }

    @Test func filmsWhatItIsSent() async throws {
      let server = try await RunningServer(program)
      let markup = """
        <style>p { animation: go 4s linear infinite } @keyframes go { to { transform: translateX(200px) } }</style><p>ad
        """
      let done = try await server.render([
        "markup": markup, "size": "300x250", "film": ["formats": ["apng", "webp"], "length": 1],
      ])
      #expect(done.renderStatus == "completed")
      for (format, type) in [("apng", "image/apng"), ("webp", "image/webp")] {
        let film = try await server.send("GET", "/v1/renders/\(done.id)/files/film.\(format)")
        #expect(film.status == 200 && film.headers["content-type"] == type && film.body.count > 1_000)
      }
      let files = try await server.send("GET", "/v1/renders/\(done.id)/files").text
      #expect(!files.contains("film.reel"))
    }

    @Test func leavesABackupImage() async throws {
      let server = try await RunningServer(program)
      let done = try await server.render([
        "markup": "<h1>ad</h1>", "size": "300x250", "backup": ["format": "jpeg", "maxBytes": 40_000],
      ])
      #expect(done.renderStatus == "completed")
      let picture = try await server.send("GET", "/v1/renders/\(done.id)/files/backup.jpg")
      #expect(picture.status == 200 && picture.headers["content-type"] == "image/jpeg")
      #expect(picture.body.starts(with: [0xFF, 0xD8]) && picture.body.count <= 40_000)
      let record = try await server.send("GET", "/v1/renders/\(done.id)/result")
      #expect(record.status == 200 && record.text.contains("\"outcome\""))
      let noise = """
        <script>for (let i = 0; i < 4000; i++) document.write(`<b style=color:hsl(${i * 7},90%,50%)>#</b>`)</script>
        """
      let failed = try await server.render([
        "markup": noise, "size": "300x250", "backup": ["format": "jpeg", "maxBytes": 1_000],
      ])
      #expect(failed.renderStatus == "failed" && failed.text.contains("still-too-large"), "\(failed.text)")
    }

    @Test func goesOnWithWhatItHadAcceptedWhenItWasKilled() async throws {
      let first = try await RunningServer(program, "--allow-private-network")
      var ids: [String] = []
      for path in ["/waits", "/a", "/b", "/c"] {
        ids.append(try await first.send("POST", "/v1/renders", ["url": pages.address + path]).id)
      }
      await pages.awaitRequest("/picture")
      let processes = try #require(RunProcesses(of: first.renderer.id))
      for program in [first.program, first.renderer] {
        program.signal(SIGKILL)
        _ = await program.outcome()
        if !RunningServer.isShared { break }
      }
      #expect(await processes.leftovers(after: 5) == [])
      let second = try await RunningServer(program, "--allow-private-network")
      for id in ids { #expect(try await second.ended(id).renderStatus == "completed") }
      let list = try await second.send("GET", "/v1/renders").json["renders"] as? [[String: Any]]
      #expect(list?.compactMap { $0["id"] as? String } == ids.reversed())
    }

    @Test func turnsAwayWhomThereIsNoRoomFor() async throws {
      // A server that renders itself has two with its worker.
      let server = try await RunningServer(
        program, "--max-waiting \(RunningServer.isShared ? 2 : 1) --allow-private-network")
      for path in ["/stays", "/a", "/b"] {
        #expect(try await server.send("POST", "/v1/renders", ["url": pages.address + path]).status == 202)
        if path == "/stays" { await pages.awaitRequest("/never") }
      }
      let refused = try await server.send("POST", "/v1/renders", ["markup": "x"])
      #expect(refused.status == 429 && refused.code == "queue-full")
      #expect(refused.headers["retry-after"].flatMap(Int.init) ?? 0 > 0)
      #expect(refused.headers["content-type"] == "application/problem+json")
      #expect(try await server.send("GET", "/readyz").status == 503)
      #expect(try await server.send("GET", "/v1/pressure").json["recentlyRejected"] as? Int == 1)
    }

    @Test func acceptsTheSameRequestUnderTheSameKeyOnce() async throws {
      let server = try await RunningServer(program)
      let key = ["Idempotency-Key": "k"]
      let first = try await server.send("POST", "/v1/renders", ["markup": "a"], headers: key)
      let again = try await server.send("POST", "/v1/renders", ["markup": "a"], headers: key)
      #expect(!first.id.isEmpty && first.id == again.id)
      let other = try await server.send("POST", "/v1/renders", ["markup": "b"], headers: key)
      #expect(other.status == 422 && other.code == "idempotency-key-reused")
    }

    @Test func comparesRendersAndApprovesBaselines() async throws {
      let server = try await RunningServer(program)
      let red = try await server.render(["markup": "<h1 style='color: red'>ad</h1>", "name": "red"])
      let blue = try await server.render(["markup": "<h1 style='color: blue'>ad</h1>", "name": "blue"])
      let differing = try await server.send("POST", "/v1/diffs", ["first": red.id, "second": blue.id])
      #expect(differing.status == 201 && differing.json["verdict"] as? String == "different")
      let results = try #require(differing.json["results"] as? [[String: Any]])
      let screenshots = try #require(results.first?["screenshots"] as? [[String: Any]])
      let drawn = try #require((screenshots.first?["written"] as? [String: String])?["highlight"])
      #expect(try await server.send("GET", drawn).body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(!differing.text.contains(program.folder))
      let place = "/v1/baselines/banner/iphone-15"
      #expect(try await server.send("PUT", place, ["render": red.id]).status == 201)
      #expect(try await server.send("PUT", place, ["render": red.id]).status == 200)
      for (render, verdict) in [(red.id, "same"), (blue.id, "different")] {
        let against = try await server.send("POST", "/v1/diffs", ["baseline": "banner@iphone-15", "second": render])
        #expect(against.json["verdict"] as? String == verdict)
      }
      let named = "banner@iphone-15"
      for (render, verdict) in [(red.id, "unchanged"), (blue.id, "changed")] {
        let verified = try await server.send(
          "POST", "/v1/baselines/verify", ["render": render, "baseline": named])
        let creative = try #require((verified.json["creatives"] as? [[String: Any]])?.first)
        #expect(verified.status == 200 && creative["verdict"] as? String == verdict)
        #expect(!verified.text.contains(program.folder))
        guard verdict == "changed" else { continue }
        let parts = try #require(creative["parts"] as? [[String: Any]])
        let part = try #require(parts.first { $0["name"] as? String == "001-default" })
        let drawn = try #require((part["written"] as? [String: String])?["highlight"])
        let files = "/v1/renders/\(render)/files"
        #expect(try await server.send("GET", "\(files)/\(drawn)").body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try await server.send("GET", "\(files)/baseline.json").status == 404)
        #expect(try await !server.send("GET", files).text.contains("baseline.json"))
      }
      let unnamed = try await server.send("POST", "/v1/baselines/verify", ["render": red.id])
      #expect((unnamed.json["creatives"] as? [[String: Any]])?.first?["verdict"] as? String == "new")
      #expect(try await server.send("PUT", place, ["render": blue.id, "parts": ["001-default"]]).status == 200)
      let screenshot = try await server.send("GET", "\(place)/screenshots/001-default")
      let other = try await server.send("GET", "\(place)/screenshots/001-default-ad")
      #expect(screenshot.headers["content-type"] == "image/png" && other.status == 200)
      let mixed = try await server.send("POST", "/v1/diffs", ["baseline": "banner@iphone-15", "second": blue.id])
      #expect(mixed.json["verdict"] as? String == "different")
      #expect(try await server.send("DELETE", place).status == 204)
      #expect(try await server.send("GET", place).status == 404)
    }

    @Test func approvesAnAdWithEqualPicturesWhole() async throws {
      let server = try await RunningServer(program)
      let place = "/v1/baselines/expanding/iphone-15"
      var names: [String]?
      for color in ["#06c", "#c00", "#0a0"] {
        let render = try await server.render([
          "markup": ExpandingAd.page(color), "scenario": ExpandingAd.scenario, "name": "expanding",
        ])
        #expect(try await server.send("PUT", place, ["render": render.id]).status == (names == nil ? 201 : 200))
        let screenshots = try await server.send("GET", place).json["screenshots"] as? [[String: Any]]
        let now = screenshots?.compactMap { $0["name"] as? String }
        #expect(now?.contains("002-expanded") == true && now?.contains("003-open") == true)
        if let names { #expect(now == names) }
        names = now
        let against = try await server.send(
          "POST", "/v1/diffs", ["baseline": "expanding@iphone-15", "second": render.id])
        #expect(against.json["verdict"] as? String == "same")
      }
    }

    @Test func cancelsWhatRuns() async throws {
      let server = try await RunningServer(program, "--allow-private-network")
      let running = try await server.send("POST", "/v1/renders", ["url": pages.address + "/stays"])
      await pages.awaitRequest("/never")
      let cancelled = try await server.send("DELETE", "/v1/renders/\(running.id)")
      #expect(cancelled.status == 200 && cancelled.renderStatus == "cancelled")
      #expect(try await server.render(["markup": "next"]).renderStatus == "completed")
    }

    @Test func givesUpWhatWaitsTooLong() async throws {
      let server = try await RunningServer(program, "--allow-private-network")
      _ = try await server.send("POST", "/v1/renders", ["url": pages.address + "/stays"])
      let late = try await server.render(["markup": "x", "queueTimeout": 1])
      #expect(late.renderStatus == "failed")
      #expect((late.json["error"] as? [String: String])?["code"] == "queue-timed-out")
    }

    @Test func doesntTryForEverWhatKillsItsWorkers() async throws {
      let server = try await RunningServer(program, "--allow-private-network")
      let request = ["url": pages.address + "/stays"]
      let killer = try await server.send("POST", "/v1/renders", request)
      for _ in 1...3 {
        await pages.awaitRequest("/never")
        #expect(try #require(RunProcesses(of: server.renderer.id)).kill(.worker))
      }
      #expect(try await server.ended(killer.id).renderStatus == "quarantined")
      #expect(try await server.render(request).renderStatus == "quarantined")
      let held = try await server.send("GET", "/v1/quarantine").json["creatives"] as? [[String: Any]]
      let content = try #require(held?.first?["content"] as? String)
      #expect(try await server.send("DELETE", "/v1/quarantine/\(content)").status == 204)
      #expect(try await server.render(["markup": "next"]).renderStatus == "completed")
    }

    @Test func tellsAnAddressUntilItListens() async throws {
      let server = try await RunningServer(program, "--allow-private-network")
      let done = try await server.render(["markup": "x", "callback": pages.address + "/hook"])
      #expect(done.renderStatus == "completed")
      await pages.awaitRequest("/hook")
      await pages.awaitRequest("/hook")
    }

    /// Renders with virtual time, which advances only without requests under way, in the network process as well.
    @Test func watchesTheNetworkForATimeOfItsOwnAfterTheMachines() async throws {
      let server = try await RunningServer(program)
      for clock in ["real", "virtual"] {
        #expect(try await server.render(["markup": clock, "clock": clock]).renderStatus == "completed")
      }
      let processes = try #require(RunProcesses(of: server.renderer.id))
      #expect(processes.variables(.networkProcess).contains { $0.hasPrefix("GALLEY_CLOCK_NETWORK=") })
    }

    @Test func endsInOrderWhenItIsToldToStop() async throws {
      let server = try await RunningServer(program, "--drain 1 --allow-private-network")
      let running = try await server.send("POST", "/v1/renders", ["url": pages.address + "/waits"])
      await pages.awaitRequest("/picture")
      let processes = try #require(RunProcesses(of: server.renderer.id))
      for program in [server.renderer, server.program] {
        program.signal(SIGTERM)
        #expect(await program.outcome().code == 0)
        if !RunningServer.isShared { break }
      }
      #expect(await processes.leftovers(after: 5) == [])
      let next = try await RunningServer(program, "--allow-private-network")
      #expect(try await next.ended(running.id).renderStatus == "completed")
    }
  }
}
