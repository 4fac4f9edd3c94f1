import Core
import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// Answers of other processes and threads to an idle page: each belongs to the instant of its question.
  @Suite(.timeLimit(.minutes(2))) struct AnswerTimeTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Asks each question at its own instant between two frames, so that an answer at the next frame is late.
    @Test func answersBelongToTheInstantOfTheirQuestions() async throws {
      try program.file("ad/index.html", Self.page)
      try program.file("ad/picture.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
      var logs: Set<[String]> = []
      for _ in 1...3 {
        let outcome = try await program.play(
          """
          - wait: {seconds: 4}
          - expect:
              evaluate:
                "JSON.stringify(late)": "[]"
                "JSON.stringify([...asked.keys()].filter((name) => !answered.has(name)))": "[]"
          """, clock: "virtual", "--timeout 25 --offline --device pixel-8")
        let record = try #require(try outcome.document().results.first)
        #expect(record.message == nil)
        #expect(record.nondeterminism == nil)
        let events = try String(contentsOfFile: "\(program.folder)/out/ad/events.ndjson", encoding: .utf8)
        logs.insert(events.split(separator: "\n").filter { $0.contains("\"console\"") }.map(String.init))
        try FileManager.default.removeItem(atPath: "\(program.folder)/out")
      }
      #expect(logs.count == 1)
    }

    private static let page = """
      <!doctype html><title>ad</title><meta name="ad.size" content="width=300,height=250">
      <iframe id="frame" srcdoc="<script>onmessage = ({ source, data }) => source.postMessage(data, '*')</script>"></iframe>
      <script>
      const asked = new Map(), answered = new Map(), late = [];
      const opened = new Promise((done, fail) => {
        const request = indexedDB.open("base", 1);
        request.onupgradeneeded = () => request.result.createObjectStore("store");
        request.onsuccess = () => done(request.result);
        request.onerror = fail;
      });
      const event = (target, name) => new Promise((done) => target.addEventListener(name, done, { once: true }));
      const failed = (promise) => promise.then(() => { throw "it went well"; }, () => {});
      const questions = {
        database: async () => {
          const change = (await opened).transaction("store", "readwrite");
          change.objectStore("store").put("value", "key");
          await event(change, "complete");
        },
        broadcast: async () => {
          const [one, other] = [new BroadcastChannel("name"), new BroadcastChannel("name")];
          const heard = event(other, "message");
          one.postMessage(1);
          await heard;
        },
        frame: async () => {
          const heard = event(window, "message");
          document.getElementById("frame").contentWindow.postMessage(1, "*");
          await heard;
        },
        port: async () => {
          const { port1, port2 } = new MessageChannel(), heard = event(port2, "message");
          port2.start();
          port1.postMessage(1);
          await heard;
        },
        worker: async () => {
          const worker = new Worker(URL.createObjectURL(new Blob(["onmessage = () => postMessage(1)"])));
          worker.postMessage(1);
          await event(worker, "message");
        },
        digest: () => crypto.subtle.digest("SHA-256", new Uint8Array(1e6)),
        fetched: async () => (await fetch("picture.svg")).text(),
        image: () => event(Object.assign(new Image(), { src: "picture.svg?2" }), "load"),
        request: () => {
          const request = new XMLHttpRequest();
          request.open("GET", "picture.svg?3");
          request.send();
          return event(request, "load");
        },
        blob: async () => (await fetch(URL.createObjectURL(new Blob(["text"])))).text(),
        data: async () => (await fetch("data:text/plain,text")).text(),
        module: () => import("data:text/javascript,export default 1"),
        compressed: () => new Response(new Blob(["text"]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
        font: () => failed(new FontFace("none", "url(none.woff)").load()),
        lock: () => navigator.locks.request("name", () => {}),
        permission: () => navigator.permissions.query({ name: "geolocation" }),
        place: () => failed(new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, fail))),
        nobody: () => failed(fetch("https://nobody.example/")),
        socket: () => event(new WebSocket("wss://nobody.example/"), "error"),
        stream: async () => {
          const stream = new EventSource("https://nobody.example/stream");
          await event(stream, "error");
          stream.close();
        },
        assembly: () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])),
        spoken: () => {
          const words = new SpeechSynthesisUtterance("");
          speechSynthesis.speak(words);
          return Promise.race([event(words, "end"), event(words, "error")]);
        },
      };
      Object.entries(questions).forEach(([name, ask], index) => setTimeout(async () => {
        asked.set(name, performance.now());
        try { await ask(); } catch (error) { late.push(`${name}: ${error.message ?? error}`); }
        answered.set(name, performance.now());
        console.log(name, answered.get(name));
        if (answered.get(name) - asked.get(name) > 2) late.push(`${name} ${answered.get(name) - asked.get(name)}`);
      }, 1003 + index * 101));
      </script>
      """
  }
}
