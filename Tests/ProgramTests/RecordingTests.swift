import Core
import Foundation
import RenderModel
import Synchronization
import Testing

extension ServerTier {
  /// Recordings of the network data of a creative, which answer the same creative without any server.
  @Suite(.timeLimit(.minutes(4))) struct RecordingTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Ad with cache busters in the requests of its page, a worker and a redirect; each answer is different.
    private static let ad = """
      <!doctype html><meta name="ad.size" content="width=300,height=250"><div id="out"></div><script>
      const log = (text) => { document.getElementById("out").append(text, document.createElement("br")); console.log(text); };
      for (const path of ["a", "b", "c", "d", "e", "f", "g", "h", "hop"])
        fetch(`/${path}?r=${Math.random()}&t=${Date.now()}`).then((answer) => answer.text()).then((text) => log(path + text));
      fetch("/post", { method: "POST", body: "n=" + Math.random() }).then((answer) => answer.text()).then(log);
      const code = `fetch("${location.origin}/worker?r=" + Math.random()).then((a) => a.text()).then((text) => postMessage(text))`;
      new Worker(URL.createObjectURL(new Blob([code]))).onmessage = (event) => log("worker" + event.data);
      </script>
      """

    private func server(_ ad: String = Self.ad) throws -> LoopbackServer {
      let count = Count()
      return try LoopbackServer { path, _ in
        switch path.prefix(while: { $0 != "?" }) {
        case "/ad": .init(body: ad)
        case "/hop": .init(status: "302 Found", location: "/after?n=\(count.next())")
        default: .init(type: "text/plain", body: " \(count.next())")
        }
      }
    }

    private func log(_ out: String) throws -> String {
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(program.folder)/\(out)").filter {
        !$0.hasSuffix(".json")
      }
      let text = try String(
        contentsOfFile: "\(program.folder)/\(out)/\(try #require(names.first))/events.ndjson", encoding: .utf8)
      return text.replacing(/"timing":\{[^}]*\}/, with: "")
    }

    private func picture(_ out: String) throws -> Data {
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(program.folder)/\(out)")
      let name = try #require(names.first { !$0.hasSuffix(".json") })
      return try Data(contentsOf: URL(filePath: "\(program.folder)/\(out)/\(name)/screenshots/001-default.png"))
    }

    @Test func aReplayIsTheSameWithNobodyThere() async throws {
      var server: LoopbackServer? = try server()
      let address = try #require(server?.address)
      let call = "exec \"$GALLEY\" render \(address)/ad --json"
      let recorded = try await program.shell("\(call) --out recorded --record ad.zip")
      #expect(recorded.code == 0 && program.has("ad.zip"))
      #expect(!program.has("recorded/recording"))
      server = nil
      var logs: Set<String> = []
      var pictures: Set<Data> = []
      for number in 1...4 {
        let outcome = try await program.shell("\(call) --out replay-\(number) --replay ad.zip --offline")
        #expect(try outcome.document().results.map(\.warnings) == [[]])
        logs.insert(try log("replay-\(number)"))
        pictures.insert(try picture("replay-\(number)"))
      }
      #expect(logs.count == 1 && pictures.count == 1)
      let consoles = try #require(logs.first).split(separator: "\n").filter { $0.contains("\"console\"") }
      #expect(consoles.count == 11)
    }

    /// Replays many requests at once, each an open connection to the recorder.
    @Test(arguments: [60, 300]) func aPageMayAskForMuchAtOnce(requests: Int) async throws {
      let ad = """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><div id="out"></div><script>
        for (let number = 0; number < \(requests); number++)
          fetch(`/n${number}?r=${Math.random()}`).then((answer) => answer.text()).then((text) => console.log(number + text));
        </script>
        """
      var server: LoopbackServer? = try server(ad)
      let call = "exec \"$GALLEY\" render \(try #require(server?.address))/ad --json"
      let recorded = try await program.shell("\(call) --out recorded --record ad.zip")
      #expect(recorded.code == 0 && program.has("ad.zip"), "\(recorded.errors)")
      server = nil
      var logs: Set<String> = []
      for number in 1...2 {
        let outcome = try await program.shell("\(call) --out replay-\(number) --replay ad.zip --offline")
        #expect(try outcome.document().results.map(\.warnings) == [[]], "\(outcome.errors)")
        logs.insert(try log("replay-\(number)"))
      }
      #expect(logs.count == 1)
      #expect(try #require(logs.first).matches(of: /"console"/).count == requests)
    }

    /// Records an exploration, whose trials each make their requests again, and replays it with the same findings.
    @Test func anExplorationIsRecordedAndReplayed() async throws {
      let ad = """
        <!doctype html><html lang="en"><meta name="ad.size" content="width=300,height=250"><title>t</title>
        <p id="text">none</p><button id="more" onclick="ask('more')">More</button><button id="less" onclick="ask('less')">Less</button>
        <script>const ask = (what) => fetch(`/${what}?r=${Math.random()}`).then((answer) => answer.text())
          .then((text) => { document.getElementById("text").textContent = what + text; }); ask("first");</script>
        """
      var server: LoopbackServer? = try server(ad)
      let call =
        "exec \"$GALLEY\" render \(try #require(server?.address))/ad --explore --explore-actions 6 --size 300x250 --json"
      let recorded = try await program.shell("\(call) --out recorded --record ways.zip")
      #expect(recorded.code == 0 && program.has("ways.zip"), "\(recorded.errors)")
      server = nil
      var found: Set<String> = []
      for number in 1...2 {
        let outcome = try await program.shell("\(call) --out replay-\(number) --replay ways.zip --offline")
        #expect(try outcome.document().results.map(\.warnings) == [[]])
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(program.folder)/replay-\(number)")
        let name = try #require(names.first { !$0.hasSuffix(".json") })
        found.insert(
          try String(contentsOfFile: "\(program.folder)/replay-\(number)/\(name)/graph.mmd", encoding: .utf8))
        #expect(try log("replay-\(number)").contains("\"status\":200"))
      }
      #expect(found.count == 1)
      let shown = try await program.shell("exec \"$GALLEY\" har show ways.zip")
      for path in ["/first?", "/more?", "/less?"] { #expect(shown.output.contains(path), "\(shown.output)") }
    }

    @Test func aRecordingOfACheckSaysWhatAskedForWhat() async throws {
      let server = try server()
      _ = try await program.shell(
        "exec \"$GALLEY\" check \(server.address)/ad --size 300x250 --out checked --record ad.har")
      let shown = try await program.shell("exec \"$GALLEY\" har show ad.har --json")
      let document = try #require(JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
      let requests = try #require(document["requests"] as? [[String: Any]])
      let fetched = requests.filter { ($0["url"] as? String)?.contains("/a?") == true }
      #expect(fetched.map { $0["initiator"] as? String } == ["fetch"], "\(requests)")
      let har = try String(contentsOfFile: "\(program.folder)/ad.har", encoding: .utf8)
      #expect(har.contains("_initiator"))
    }

    @Test func whatIsMissingIsRefusedAndNamed() async throws {
      let server = try server()
      _ = try await program.shell("exec \"$GALLEY\" render \(server.address)/ad --out recorded --record ad.har")
      let har = try String(contentsOfFile: "\(program.folder)/ad.har", encoding: .utf8)
      let cut = har.replacing("/worker?r=0", with: "/worker?q=0")
      #expect(cut != har)
      try program.file("cut.har", cut)
      let outcome = try await program.shell(
        "exec \"$GALLEY\" render \(server.address)/ad --json --out cut --replay cut.har")
      let warnings = try outcome.document().results.flatMap(\.warnings)
      #expect(
        warnings.count == 1 && warnings[0].contains("/worker?r=") && warnings[0].contains("differs in query q,r"),
        "\(warnings)")
      let asked = server.requestCount
      let live = try await program.shell(
        "exec \"$GALLEY\" render \(server.address)/ad --json --out live --replay cut.har --replay-missing live")
      #expect(try live.document().results.flatMap(\.warnings) == [])
      // The size that the page says is known from the recording, so the page is loaded once.
      #expect(server.requestCount == asked + 1)
    }

    @Test func aSlowNetworkIsArithmeticAndFaultsHappen() async throws {
      // The time of day is another by a slow network, and would be asked for in vain.
      let server = try server(Self.ad.replacing("&t=${Date.now()}", with: ""))
      _ = try await program.shell("exec \"$GALLEY\" render \(server.address)/ad --out recorded --record ad.zip")
      let slow = try await program.shell(
        "exec \"$GALLEY\" render \(server.address)/ad --json --out slow --replay ad.zip --network-profile latency=500ms"
      )
      #expect(slow.code == 0)
      // The page takes a connection and a request, a trip of half a second each; so does what it asks for, but for the
      // first, which has the page's connection.
      let instants = try log("slow").matches(of: /"console".*?"t":([0-9.]+)/).compactMap { Double($0.1) }
      #expect(instants.count == 11 && instants.allSatisfy { (1_500...3_100).contains($0) }, "\(instants)")
      #expect(instants.first.map { (1_500...1_520).contains($0) } == true, "\(instants)")
      let fault = try await program.shell(
        "exec \"$GALLEY\" render \(server.address)/ad --json --out fault --replay ad.zip --fault 'path=/a status=503' --fault 'path=/b reset'"
      )
      #expect(fault.code == 0)
      let text = try log("fault")
      #expect(text.contains(#""text":"a503"#) && !text.contains(#""text":"b "#))
    }

    /// Records and replays over HTTP: fetched, sent with another request, named by its render; also by a second server.
    @Test func aServerRecordsAndReplays() async throws {
      let trial = try self.server()
      let server = try await RunningServer(program, "--allow-private-network")
      let ad: [String: Any] = ["url": "\(trial.address)/ad"]
      let recorded = try await server.render(ad.merging(["record": true]) { $1 })
      #expect(recorded.renderStatus == "completed", "\(recorded.text)")
      let links = try #require(recorded.json["links"] as? [String: Any])
      let file = try await server.send("GET", try #require(links["recording"] as? String))
      #expect(file.status == 200 && file.headers["content-type"] == "application/zip")
      #expect(file.headers["content-disposition"]?.contains("recording.zip") == true)
      try file.body.write(to: URL(filePath: "\(program.folder)/kept.zip"))
      let asked = trial.requestCount
      let first = try await server.render(ad.merging(["replay": recorded.id]) { $1 })
      // A replay's own recording is what answered it.
      let second = try await server.render(ad.merging(["replay": first.id]) { $1 })
      let sent = try await program.shell(
        """
        curl -s -F url=\(trial.address)/ad -F recording=@kept.zip -H 'Prefer: wait=60' \(server.address)/v1/renders
        """)
      let third = try #require(JSONSerialization.jsonObject(with: Data(sent.output.utf8)) as? [String: Any])
      var logs: Set<String> = []
      for id in [first.id, second.id, third["id"] as? String ?? ""] {
        let log = try await server.send("GET", "/v1/renders/\(id)/files/events.ndjson").text
        #expect(log.matches(of: /"console"/).count == 11)
        logs.insert(log.replacing(/"timing":\{[^}]*\}/, with: ""))
      }
      #expect(logs.count == 1 && trial.requestCount == asked)
      let page = try await server.send("GET", "/renders/\(recorded.id)").text
      #expect(page.contains("/v1/renders/\(recorded.id)/recording"))
      #expect(try await server.send("GET", "/?again=\(recorded.id)").text.contains(#"name="replay""#))
      let slow = try await server.render(
        ad.merging(["replay": recorded.id, "networkProfile": "latency=500ms", "faults": ["path=/b reset"]]) { $1 })
      let slowLog = try await server.send("GET", "/v1/renders/\(slow.id)/files/events.ndjson").text
      let instants = slowLog.matches(of: /"console".*?"t":([0-9.]+)/).compactMap { Double($0.1) }
      #expect(instants.min().map { $0 >= 1_500 } == true && !slowLog.contains(#""text":"b "#), "\(instants)")
    }

    @Test func aServerRefusesARecordingThatIsNone() async throws {
      let server = try await RunningServer(program)
      try program.file("broken.zip", "PK no zip")
      let sent = try await program.shell(
        "curl -s --form-string 'markup=<p>ad' -F recording=@broken.zip \(server.address)/v1/renders")
      let problem = try #require(JSONSerialization.jsonObject(with: Data(sent.output.utf8)) as? [String: Any])
      #expect(
        problem["code"] as? String == "recording-broken" && !sent.output.contains(program.folder), "\(sent.output)")
      let plain = try await server.render(["markup": "<p>ad"])
      let none = try await server.send("GET", "/v1/renders/\(plain.id)/recording")
      #expect(none.status == 404)
      let named = try await server.send("POST", "/v1/renders", ["markup": "<p>ad", "replay": plain.id])
      #expect(named.status == 422 && named.text.contains("without a recording"))
    }

    @Test(
      arguments: [
        ("--replay none.zip", "there is no recording none.zip"),
        ("--replay broken.zip", "broken.zip isn't a readable zip"),
        ("--record a.zip --replay b.zip", "--record and --replay can't be combined"),
        ("--network-profile 9g", "'9g' isn't a network"), ("--fault nothing", "'nothing' isn't a fault"),
        ("--record x.pdf", "writes a .zip or a .har"),
      ])
    func aCallThatIsWrongIsToldBeforeAnythingIsRendered(_ options: String, _ words: String) async throws {
      try program.file("ad.html")
      try program.file("broken.zip", "no zip")
      let outcome = try await program.render("ad.html \(options)")
      #expect(outcome.code == 2 && outcome.errors.contains(words))
      #expect(!program.has("out/ad"))
    }
  }
}

/// Counter that several threads share.
private final class Count: Sendable {
  private let value = Atomic(0)
  func next() -> Int { value.add(1, ordering: .relaxed).newValue }
}
