import Foundation
import Testing

extension ServerTier {
  /// Permissions of a server's users.
  @Suite(.timeLimit(.minutes(2))) struct ServeSafetyTests {
    private static let videos = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Creatives/video").path()

    private let program: Program

    init() throws { program = try Program() }

    private func token(_ name: String, _ options: String) async throws -> [String: String] {
      let made = try await program.shell("exec \"$GALLEY\" serve token create \(name) --file tokens.json \(options)")
      #expect(made.code == 0)
      return ["Authorization": "Bearer \(made.output.filter { !$0.isNewline })"]
    }

    @Test func asksForATokenAndWhatItAllows() async throws {
      let reader = try await token("reader", "--scopes read")
      let renderer = try await token("renderer", "--scopes render,read --rate 2")
      let server = try await RunningServer(program, "--tokens tokens.json")
      #expect(try await server.send("GET", "/healthz").status == 200)
      let nobody = try await server.send("GET", "/v1/renders")
      #expect(nobody.status == 401 && nobody.headers["www-authenticate"] != nil)
      #expect(try await server.send("GET", "/v1/renders", headers: ["Authorization": "Bearer x"]).status == 401)
      #expect(try await server.send("GET", "/v1/renders", headers: reader).status == 200)
      let refused = try await server.send("POST", "/v1/renders", ["markup": "x"], headers: reader)
      #expect(refused.status == 403 && refused.code == "scope-missing")
      let done = try await server.render(["markup": "x"], headers: renderer)
      #expect(done.renderStatus == "completed")
      try await onlyItsOwnerAndTheTeamSee(done.id, server, reader, renderer)
      let screenshot = try await server.send("POST", "/v1/screenshot?part=ad", ["markup": "x"], headers: renderer)
      #expect(screenshot.status == 200 && screenshot.headers["content-type"] == "image/png")
      let often = try await server.send("POST", "/v1/renders", ["markup": "x"], headers: renderer)
      #expect(often.status == 429 && often.code == "rate-exceeded")
    }

    /// Sends a video ad as a zip of its response and the files beside it: SIMID pages, videos, measurement code.
    @Test(arguments: [("measured", "omid/impression"), ("survey", "simid/")])
    func playsAndMeasuresVideoAdsForWhoHasAToken(sample: String, event: String) async throws {
      let caller = try await token("ci", "--scopes render,read")
      let zipped = try await program.shell(
        "cd '\(Self.videos)/\(sample)' && exec python3 -m zipfile -c \"$OLDPWD/\(sample).zip\" *")
      #expect(zipped.code == 0)
      let archive = URL(filePath: "\(program.folder)/\(sample).zip")
      let server = try await RunningServer(program, "--tokens tokens.json")
      let done = try await server.render(
        [
          "zip": try Data(contentsOf: archive).base64EncodedString(), "omid": true,
          "profiles": ["chromium"], "seed": 5,
        ], headers: caller)
      #expect(done.renderStatus == "completed", "\(done.text.prefix(500))")
      let events = try await server.send("GET", "/v1/renders/\(done.id)/events", headers: caller).text
      let (source, name) = (event.prefix { $0 != "/" }, event.drop { $0 != "/" }.dropFirst())
      #expect(
        events.split(separator: "\n").contains {
          $0.contains("\"source\":\"\(source)\"") && (name.isEmpty || $0.contains("\"name\":\"\(name)\""))
        })
      #expect(try await server.send("GET", "/v1/renders/\(done.id)/report", headers: caller).status == 200)
    }

    private func onlyItsOwnerAndTheTeamSee(
      _ id: String, _ server: RunningServer, _ other: [String: String], _ owner: [String: String]
    ) async throws {
      let team = try await token("team", "--scopes read-all,approve")
      for (headers, status) in [(owner, 200), (team, 200), (other, 404)] {
        for path in ["", "/events", "/files", "/files/result.json", "/screenshots/001-default"] {
          #expect(try await server.send("GET", "/v1/renders/\(id)\(path)", headers: headers).status == status)
        }
        #expect(try await server.send("GET", "/renders/\(id)", headers: headers).status == status)
        let listed = try await server.send("GET", "/v1/renders", headers: headers).json["renders"] as? [[String: Any]]
        #expect(listed?.count == (status == 200 ? 1 : 0))
        let diff = try await server.send("POST", "/v1/diffs", ["first": id, "second": id], headers: headers)
        #expect(diff.status == (status == 200 ? 201 : 404))
      }
      let approved = try await server.send("PUT", "/v1/baselines/a/b", ["render": id], headers: team)
      #expect(approved.status == 201)
    }

    /// Renders a frame, whose content is in the picture and so visible to every reader of the result.
    @Test func reachesNothingOfTheServersMachineUnlessThatIsAllowed() async throws {
      let inside = try LoopbackServer { _, _ in .init(body: "<h1>private") }
      let frame = "<iframe src='\(inside.address)/'></iframe><img src='\(inside.address)/x.png'>"
      let careful = try await RunningServer(program)
      for network in [false, true] {
        let done = try await careful.render(["markup": frame, "network": network])
        #expect(done.renderStatus == "completed")
        let log = try await careful.send("GET", "/v1/renders/\(done.id)/events").text
        #expect(log.contains("\"refused\":\"\(network ? "loopback" : "offline")\""))
      }
      #expect(inside.requestCount == 0)
      let other = try Program()
      // Its folder goes with it.
      defer { withExtendedLifetime(other) {} }
      let trusting = try await RunningServer(other, "--allow-private-network")
      _ = try await trusting.render(["markup": frame, "network": false])
      #expect(inside.requestCount == 0)
      let done = try await trusting.render(["markup": frame])
      #expect(done.renderStatus == "completed", "\(done.text)")
      let log = try await trusting.send("GET", "/v1/renders/\(done.id)/events").text
      #expect(inside.requestCount > 0, "\(log)")
    }

    @Test func showsNoFileOfTheServersMachine() async throws {
      let server = try await RunningServer(program)
      let markup = """
        <script src=mraid.js></script><script>
        mraid.addEventListener("ready", () => mraid.expand("file:///etc/hostname"))</script>
        """
      let done = try await server.render(["markup": markup])
      let log = try await server.send("GET", "/v1/renders/\(done.id)/events").text
      #expect(log.contains("addressRefused") && !log.contains("\"expanded\""))
    }

    @Test func servesOthersOnlyWithTokens() async throws {
      let outcome = try await program.shell("exec \"$GALLEY\" serve --port 0 --data data --host 0.0.0.0")
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("[tokens-missing]"))
    }

    @Test func sharesItsFolderWithNobody() async throws {
      let server = try await RunningServer(program)
      let outcome = try await program.shell("exec \"$GALLEY\" serve --port 0 --data data")
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("[data-in-use]"))
      #expect(try await server.send("GET", "/healthz").status == 200)
    }

    @Test func removesNothingBecauseTheDatabaseIsEmpty() async throws {
      let server = try await RunningServer(program)
      let done = try await server.render(["markup": "x"])
      server.program.signal(SIGTERM)
      #expect(await server.program.outcome().code == 0)
      for loss in [": > data/galley.sqlite", "rm data/galley.sqlite"] {
        let outcome = try await program.shell(
          "\(loss); rm -f data/galley.sqlite-*; exec \"$GALLEY\" serve --port 0 --data data")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("[database-missing]"))
        #expect(program.has("data/renders/\(done.id)/out"))
      }
    }

    @Test func refusesOtherSitesAndOtherNames() async throws {
      let server = try await RunningServer(program)
      let foreign = try await server.send(
        "POST", "/v1/renders", ["markup": "x"], headers: ["Origin": "https://evil.example"])
      #expect(foreign.status == 403 && foreign.code == "request-cross-site")
      let renamed = try await server.send("GET", "/v1/renders", headers: ["Host": "evil.example"])
      #expect(renamed.status == 421)
    }

    @Test func showsHostileNamesWithoutRunningThem() async throws {
      let server = try await RunningServer(program)
      let done = try await server.render(["markup": "<p>x", "name": "a'\"&amp;`{{x}}"])
      for path in ["/", "/renders/\(done.id)"] {
        let page = try await server.send("GET", path)
        #expect(page.status == 200)
        #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(page.headers["x-content-type-options"] == "nosniff")
        #expect(page.text.contains("&amp;amp;"))
      }
    }
  }
}
