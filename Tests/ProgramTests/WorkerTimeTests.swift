import Core
import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// Scripts that run beside an idle page.
  @Suite(.timeLimit(.minutes(3))) struct WorkerTimeTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Returns the messages that the ad logged, in order.
    private func logged(_ ad: String, _ scripts: [String: String], _ options: String = "--device pixel-8") async throws
      -> [String]
    {
      let server = try LoopbackServer { path, _ in
        scripts[String(path.dropFirst())].map { .init(type: "text/javascript", body: $0) }
          ?? (path == "/ad"
            ? .init(body: "<!doctype html><title>ad</title><script>\(ad)</script>")
            : .init(type: "text/plain", body: path))
      }
      let outcome = try await program.shell(
        "exec \"$GALLEY\" render \(server.address)/ad --size 300x250 --idle-time 4 --out out --json \(options)")
      try #require(outcome.code == 0, "\(outcome.errors)")
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: "\(program.folder)/out").first { !$0.hasSuffix(".json") })
      let events = try String(contentsOfFile: "\(program.folder)/out/\(name)/events.ndjson", encoding: .utf8)
      try FileManager.default.removeItem(atPath: "\(program.folder)/out")
      return try events.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
        .filter { $0.name == "console" }.compactMap { $0.detail["text"]?.string }
    }

    /// Logs each second three times, in the worker's time and in the page's.
    @Test(arguments: [
      ("new Worker('s.js')", "pixel-8"), ("new Worker(URL.createObjectURL(new Blob([code])))", "pixel-8"),
      ("new SharedWorker('s.js').port", "iphone-15"),
    ])
    func timersFallDueWhileThePageRests(worker: String, device: String) async throws {
      let script = """
        const begin = (port) => { let count = 0; setInterval(() => port.postMessage([++count, performance.now()]), 1000); };
        if (self.postMessage) begin(self); else onconnect = (event) => begin(event.ports[0]);
        """
      let ad = """
        const code = \(try #require(JSONText.plain(JSONValue.string(script))));
        const worker = \(worker), began = performance.now();
        worker.onmessage = ({ data: [count, time] }) => {
          const came = performance.now() - began;
          const near = (time) => Math.abs(time - count * 1000) < 5;
          console.log(count, near(time) || time, near(came) || came);
        };
        """
      let lines = try await logged(ad, ["s.js": script], "--device \(device)")
      #expect(lines.prefix(3) == ["1 true true", "2 true true", "3 true true"])
    }

    private static let registering = """
      const told = (async () => {
        if (!("serviceWorker" in navigator)) return console.log("none");
        navigator.serviceWorker.onmessage = (event) => console.log("told", event.data, Math.round(performance.now() / 100));
        const controlled = new Promise((done) => navigator.serviceWorker.oncontrollerchange = done);
        const registration = await navigator.serviceWorker.register("/sw.js");
        await controlled;
        console.log(await (await fetch("/mine")).text(), await (await fetch("/other")).text());
        registration.active.postMessage("hello");
      })();
      """
    private static let serviceWorker = """
      oninstall = () => skipWaiting();
      onactivate = (event) => event.waitUntil(clients.claim());
      onmessage = (event) => setTimeout(() => event.source.postMessage("back"), 500);
      onfetch = (event) => {
        if (new URL(event.request.url).pathname !== "/mine") return;
        event.respondWith(fetch("/asked").then((answer) => answer.text()).then((text) => new Response("made of " + text)));
      };
      """

    /// Uses a service worker, which an ad with its own address may have on Android and in browsers.
    @Test(arguments: ["", "--record sw.zip", "--clock real"]) func aServiceWorkerAnswers(options: String) async throws {
      let lines = try await logged(Self.registering, ["sw.js": Self.serviceWorker], "--device pixel-8 \(options)")
      #expect(lines.first == "made of /asked /other")
      #expect(lines.last?.hasPrefix("told back") == true)
      if !options.contains("real") { #expect(lines.last == "told back 5") }
    }

    @Test(arguments: ["--device iphone-15", "--device pixel-8 --isolation session"])
    func noneWhereAppsHaveNoneOrOthersWouldGetIt(options: String) async throws {
      #expect(try await logged(Self.registering, ["sw.js": Self.serviceWorker], options) == ["none"])
    }

    @Test(arguments: [("iphone-15", "function"), ("pixel-8", "undefined")])
    func androidHasNoWorkersThatPagesShare(device: String, kind: String) async throws {
      #expect(try await logged("console.log(typeof SharedWorker)", [:], "--device \(device)") == [kind])
    }

    /// Runs several workers, whose order the page mustn't see, although the machine decides in which order their
    /// threads run.
    ///
    /// That holds even if their scripts wait for others that compile them and clear their memory. Each has a file of
    /// its own, since the engine reports a shared file to its workers in any order.
    @Test(arguments: ["sum += 1", "kept[sum++ % 600] = {sum, text: 'x' + sum, list: new Array(20).fill(sum)}"])
    func severalWorkersHaveTheirTurnsInOneOrder(step: String) async throws {
      try program.file(
        "ad/index.html",
        """
        <!doctype html><title>ad</title><meta name="ad.size" content="width=300,height=250"><script>
        for (const name of ["a", "b", "c", "d"]) {
          const worker = new Worker(`${name}.js`);
          let asked = 0;
          worker.onmessage = ({ data }) => { console.log(name, data); if (asked < 3) worker.postMessage(asked += 1); };
        }
        </script>
        """)
      try program.file("ad/word.txt", "word")
      for (name, work) in [("a", 30_000), ("b", 60_000), ("c", 20_000), ("d", 1)] {
        try program.file(
          "ad/\(name).js",
          """
          postMessage("begins " + crypto.randomUUID());
          const kept = [];
          onmessage = async ({ data }) => {
            for (let sum = 0; sum < \(work);) \(step);
            postMessage("was asked " + data);
            if (data === 3) postMessage(await (await fetch("word.txt")).text());
          };
          let ticks = 0;
          const timer = setInterval(() => { postMessage("tick"); if ((ticks += 1) === 5) clearInterval(timer); }, 33);
          """)
      }
      let outcome = try await program.shell(
        """
        for isolation in process session; do for run in 1 2 3 4; do
          "$GALLEY" render ad --seed 7 --idle-time 1 --isolation $isolation --out $isolation$run || exit; done; done
        """)
      try #require(outcome.code == 0, "\(outcome.errors)")
      for isolation in ["process", "session"] {
        let runs = try (1...4).map { run in
          // Of a request the log has the machine's time as well.
          try String(contentsOfFile: "\(program.folder)/\(isolation)\(run)/ad/events.ndjson", encoding: .utf8)
            .split(separator: "\n").filter { $0.contains("console") }.joined(separator: "\n")
        }
        #expect(runs[0].contains("d word") && runs[0].components(separatedBy: "tick").count == 21)
        #expect(Set(runs).count == 1)
      }
    }

    /// Starts workers of one file, which the engine loads once for both and reports in the order of their memory
    /// addresses.
    @Test(arguments: [
      ("new Worker('a.js'); new Worker('./a.js')", true), ("new Worker('a.js'); new Worker('b.js')", false),
      ("new Worker('a.js').onmessage = () => new Worker('a.js')", false),
    ])
    func workersOfOneFileAreTold(making: String, isTold: Bool) async throws {
      try program.file(
        "ad/index.html",
        """
        <!doctype html><title>ad</title><meta name="ad.size" content="width=300,height=250"><script>\(making)</script>
        """)
      for name in ["a", "b"] { try program.file("ad/\(name).js", "postMessage('here')") }
      let outcome = try await program.shell("\"$GALLEY\" render ad --clock virtual --out out --json")
      let record = try #require(try outcome.document().results.first)
      #expect(record.message == nil)
      #expect(record.nondeterminism == (isTold ? [.workersOfOneFile] : nil))
    }

    /// Starts a shared worker in an ad without a web address, for which the engine uses a process other than the
    /// page's.
    @Test func anAdFromFilesKeepsItsTimeBesideASharedWorker() async throws {
      try program.file(
        "ad/index.html",
        """
        <!doctype html><title>ad</title><meta name="ad.size" content="width=300,height=250"><script>
        const late = [], began = performance.now();
        new SharedWorker(URL.createObjectURL(new Blob(["onconnect = () => {}"])));
        for (let tick = 1; tick <= 12; tick += 1) setTimeout(() => {
          const came = performance.now() - began;
          if (Math.abs(came - tick * 503) > 3) late.push(came);
        }, tick * 503);
        </script>
        """)
      let outcome = try await program.play(
        """
        - wait: {seconds: 7}
        - expect: {evaluate: {"JSON.stringify(late)": "[]"}}
        """, clock: "virtual", "--timeout 25 --device iphone-15")
      let record = try #require(try outcome.document().results.first)
      #expect(record.message == nil)
      #expect(record.nondeterminism == [.sharedWorkers])
    }
  }
}
