import Core
import Foundation
import Testing

extension CheckTier {
  @Suite("Exploring", .timeLimit(.minutes(5)))
  struct ExplorationTests {
    private let program: Program

    /// Folder of this checkout with the samples for exploring.
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Creatives/explore").path()

    /// A banner that expands to a page with a dead button and one that opens, and closes itself.
    init() throws {
      program = try Program()
      try program.file(
        "ad/index.html",
        """
        <!doctype html><meta name="ad.size" content="width=300,height=100"><script src="mraid.js"></script>
        <style>body{margin:0} #big{display:none} .expanded #small{display:none} .expanded #big{display:block}
        button{display:block;margin:60px 20px 0;width:120px;height:40px}</style>
        <div id=small><button id=open style="margin-top:20px">Open</button></div>
        <div id=big><button id=dead>Dead</button><button id=go>Go</button><button id=done>Done</button></div>
        <script>
        mraid.addEventListener("stateChange", (state) => { document.body.className = state; });
        const on = (id, act) => document.getElementById(id).addEventListener("click", act);
        on("open", () => mraid.expand()); on("dead", () => {}); on("go", () => mraid.open("https://a.example/"));
        on("done", () => mraid.close());
        </script>
        """)
    }

    private func document(_ path: String) throws -> [String: JSONValue] {
      let data = try Data(contentsOf: URL(filePath: "\(program.folder)/\(path)"))
      return try JSONDecoder().decode([String: JSONValue].self, from: data)
    }

    @Test(
      "plays a game on a canvas to the store, the same way twice, and saves the moves",
      arguments: ["canvas-taps", "canvas-drag", "canvas-swipe"])
    func games(sample: String) async throws {
      let call = "exec \"$GALLEY\" render --explore --placement interstitial --clock virtual"
      let path = "\(Self.samples)/\(sample)"
      var games: [JSONValue] = []
      var file: String?
      for out in ["one", "two"] {
        let outcome = try await program.shell("\(call) '\(path)' --out \(out)")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("play the game"))
        let paths = try #require(document("\(out)/\(sample)/exploration.json")["paths"]?.array)
        let played = paths.filter { $0["game"] != nil }
        games.append(.array(played.compactMap { $0["game"] }))
        file = played.last { $0["game"]?["goal"] == "store" }?["scenario"]?.string
      }
      #expect(games[0] == games[1])
      let scenario = "one/\(sample)/\(try #require(file))"
      let replay = try await program.shell(
        "exec \"$GALLEY\" render --clock virtual '\(path)' --scenario \(scenario) --out again && "
          + "grep -c '\"open\"' again/\(sample)/events.ndjson")
      #expect(replay.code == 0, "\(replay.errors)")
    }

    @Test("a game that tells its network of its end without asking for the store has only ended")
    func ends() async throws {
      try program.file(
        "game/index.html",
        """
        <!doctype html><meta name="viewport" content="width=device-width"><style>body{margin:0} canvas{display:block}</style>
        <canvas width=390 height=700></canvas><script>
        const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
        const draw = (color) => { pen.fillStyle = color; pen.fillRect(0, 0, 390, 700); };
        draw("#e33");
        window.gameStart = () => {};
        window.gameClose = () => {};
        onload = () => window.gameReady && gameReady();
        canvas.onclick = () => { draw("#3a3"); gameEnd(); };
        </script>
        """)
      let outcome = try await program.shell(
        "exec \"$GALLEY\" render --explore --container mintegral --placement interstitial --clock virtual game --out out"
      )
      #expect(outcome.code == 0)
      let paths = try #require(document("out/game/exploration.json")["paths"]?.array)
      #expect(paths.compactMap { $0["game"]?["goal"] } == ["end", "end", "end"])
    }

    @Test(
      "a game that opens its store without its network's call has reached it",
      arguments: ["window.open('https://store.example/')", "location = 'https://store.example/'"])
    func linkFromGame(code: String) async throws {
      try program.file(
        "game/index.html",
        """
        <!doctype html><meta name="viewport" content="width=device-width"><style>body{margin:0} canvas{display:block}</style>
        <canvas width=390 height=700 onclick="\(code)"></canvas>
        """)
      let outcome = try await program.shell(
        "exec \"$GALLEY\" render --explore --placement interstitial --clock virtual game --out out")
      #expect(outcome.code == 0)
      let paths = try #require(document("out/game/exploration.json")["paths"]?.array)
      let games = paths.compactMap { $0["game"] }
      #expect(games.map { $0["goal"] } == ["store"])
      #expect(games.first?["moves"]?.array?.count == 1)
    }

    @Test("a picture on a canvas that nothing changes is told as such, not as the game's end")
    func stillCanvas() async throws {
      try program.file(
        "still/index.html",
        """
        <!doctype html><meta name="viewport" content="width=device-width"><style>body{margin:0} canvas{display:block}</style>
        <canvas width=390 height=700 onclick="void 0"></canvas><script>
        const pen = document.querySelector("canvas").getContext("2d");
        pen.fillStyle = "#e33"; pen.fillRect(100, 300, 150, 60);
        </script>
        """)
      let outcome = try await program.shell(
        "exec \"$GALLEY\" render --explore --placement interstitial --clock virtual still --out out")
      #expect(outcome.code == 0)
      let paths = try #require(document("out/still/exploration.json")["paths"]?.array)
      let games = paths.compactMap { $0["game"] }
      #expect(games.map { $0["goal"] } == ["nothing", "nothing", "nothing"])
      #expect(games.map { $0["seed"] } == [1, 2, 3])
    }

    @Test("finds the states, the ways and what is odd, the same with one worker as with two; its scenarios replay it")
    func endToEnd() async throws {
      let outcome = try await program.shell("exec \"$GALLEY\" render --explore ad --out two --jobs 2 --json")
      #expect(outcome.code == 0)
      #expect(outcome.output.contains("\"explorations\""))
      var two = try document("two/ad/exploration.json")
      let states = try #require(two["states"]?.array)
      #expect(states.map { $0["name"]?.string } == ["default", "expanded", "browser"])
      #expect(two["coverage"]?["percent"] == 100)
      let odd = try #require(two["anomalies"]?.array)
      #expect(odd.map { [$0["code"]?.string, $0["action"]?.string] } == [["dead-tap", "tap #dead"]])
      for state in states {
        let screenshot = try #require(state["screenshot"]?.string)
        #expect(program.has("two/ad/\(screenshot)"))
      }
      #expect(!program.has("two/ad/trials"))

      let single = try await program.shell("exec \"$GALLEY\" render --explore ad --out one --jobs 1")
      #expect(single.code == 0)
      #expect(single.output.contains("odd: dead-tap in 2 expanded, tap #dead"))
      var one = try document("one/ad/exploration.json")
      one["timings"] = nil
      two["timings"] = nil
      #expect(one == two)

      let replays = try await program.shell(
        """
        for steps in two/ad/scenarios/*.yaml; do
          "$GALLEY" render ad --scenario "$steps" --out replay --quiet || exit 9
          cmp -s "$steps" "one/ad/scenarios/${steps##*/}" || exit 8
        done
        """)
      #expect(replays.code == 0, "\(replays.errors)")
    }

    @Test("goes through carousels and forms of the samples, says what is dead, and the last scenario replays it")
    func fingers() async throws {
      let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Creatives/explore").path()
      let names = ["snap-carousel", "drag-cards", "dead-swipe", "lead-form"]
      let creatives = names.map { "\(samples)/\($0)" }.joined(separator: " ")
      let outcome = try await program.shell("exec \"$GALLEY\" render --explore \(creatives) --out found --timeout 60")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let found = try names.map { try document("found/\($0)/exploration.json") }
      let odd = found.map {
        $0["anomalies"]?.array?.map { "\($0["code"]?.string ?? "") \($0["action"]?.string ?? "")" }
      }
      #expect(odd == [[], [], ["dead-swipe swipe #bed left"], ["no-way-out "]])
      #expect(ways(found[0]).prefix(2) == ["1 swipe #tiles left 2", "2 swipe #tiles left 3"])
      #expect(ways(found[0]).contains("3 tap #order 4"))
      #expect(ways(found[1]).contains("2 swipe #deck left 3") && ways(found[1]).contains("3 tap #listen 4"))
      #expect(ways(found[3]) == ["1 fill in #name, #mail, #topic 2", "2 tap #send 3"])
      let replays = try await program.shell(
        """
        for name in \(names.joined(separator: " ")); do
          steps=$(ls found/$name/scenarios/*.yaml | tail -1)
          "$GALLEY" render "\(samples)/$name" --scenario "$steps" --out replay --quiet || exit 9
        done
        """)
      #expect(replays.code == 0, "\(replays.errors)")
    }

    /// `1 tap #a 2` of every way to another state.
    private func ways(_ document: [String: JSONValue]) -> [String] {
      (document["paths"]?.array ?? []).filter { $0["from"] != $0["to"] }.map { way in
        let (from, to) = (way["from"]?.number ?? 0, way["to"]?.number ?? 0)
        return "\(from.plain) \(way["action"]?.string ?? "") \(to.plain)"
      }
    }

    @Test(
      "looks into frames of other origins, wherever their border puts what is in them; scenarios find it by selectors")
    func framed() async throws {
      let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Creatives/explore/framed-shop").path()
      let outcome = try await program.shell("exec \"$GALLEY\" render --explore \(sample) --out found")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let found = try document("found/framed-shop/exploration.json")
      let states = found["states"]?.array ?? []
      #expect(states.count == 3)
      #expect(states.last?["name"]?.string == "browser")
      #expect(found["anomalies"]?.array?.isEmpty == true, "\(found["anomalies"] ?? .null)")
      let replays = try await program.shell(
        """
        for steps in found/framed-shop/scenarios/*.yaml; do
          "$GALLEY" render \(sample) --scenario "$steps" --out replay --quiet || exit 9
        done
        """)
      #expect(replays.code == 0, "\(replays.errors)")
    }

    @Test(
      "a frame without scripts is a thing to tap and holds nothing up; one that listens hears nothing of the host's")
    func mute() async throws {
      try program.file(
        "mute/index.html",
        """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><script src="mraid.js"></script>
        <style>body{margin:0} iframe{display:block;width:200px;height:80px}</style>
        <iframe id=plain sandbox srcdoc="<p>plain"></iframe>
        <iframe id=listens sandbox="allow-scripts" srcdoc="<button id=b>Press</button><script>
          console.log('listens');
          addEventListener('message', (event) => { console.log('heard ' + event.data); }, true);
        </script>"></iframe>
        <script>addEventListener("message", (event) => console.log("heard " + event.data), true);</script>
        """)
      let outcome = try await program.shell("exec \"$GALLEY\" render --explore mute --out found --json")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let log = try String(contentsOf: URL(filePath: "\(program.folder)/found/mute/events.ndjson"), encoding: .utf8)
      #expect(log.contains("listens") && !log.contains("heard"))
      let targets = try document("found/mute/exploration.json")["states"]?.array?.first?["targets"]?.array ?? []
      #expect(targets.map { $0["element"]?.string } == ["#plain", "#listens #b"])
      #expect(targets.first?["reasons"] == ["frame"])
    }

    @Test("a frame of another origin in a shadow tree is looked into, and a scenario finds what is in it")
    func shaded() async throws {
      try program.file(
        "shaded/index.html",
        """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><script src="mraid.js"></script>
        <style>body{margin:0} #shop{display:block;height:200px}</style><div id=shop></div>
        <script>
        document.getElementById("shop").attachShadow({ mode: "open" }).innerHTML =
          `<iframe style="border:7px solid;width:200px;height:120px" sandbox="allow-scripts"
            srcdoc="<button id=buy onclick='console.log(&quot;bought&quot;)'>Buy</button>"></iframe>`;
        </script>
        """)
      let outcome = try await program.shell("exec \"$GALLEY\" render --explore shaded --out found")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let targets = try document("found/shaded/exploration.json")["states"]?.array?.first?["targets"]?.array ?? []
      #expect(targets.map { $0["element"]?.string } == ["iframe #buy"])
      try program.file("buy.yaml", "- tap: \"#buy\"\n- expect: {events: [{name: console, count: 1}]}\n")
      let played = try await program.shell("exec \"$GALLEY\" render shaded --scenario buy.yaml --out played")
      #expect(played.code == 0, "\(played.errors)\(played.output)")
    }

    @Test("stops at its budget and says so; a creative that can't be loaded fails as it does without exploring")
    func limits() async throws {
      let cut = try await program.shell("exec \"$GALLEY\" render --explore ad --explore-actions 1 --out cut")
      #expect(cut.code == 0)
      #expect(cut.output.contains("limit of --explore-actions reached"))
      #expect(try document("cut/ad/exploration.json")["cut"] == "actions")
      try FileManager.default.createDirectory(atPath: program.folder + "/empty", withIntermediateDirectories: true)
      let failed = try await program.shell("exec \"$GALLEY\" render --explore empty --out none")
      #expect(failed.code == 1)
      #expect(failed.output.contains("[index-missing]"))
      let both = try await program.shell("exec \"$GALLEY\" render --explore ad --scenario x.yaml")
      #expect(both.code == 2)
    }
  }
}
