import Cluster
import Foundation
import NatsTestServer
import Testing

extension ServerTier {
  /// Servers and workers that share a queue, each a program of its own.
  @Suite(.timeLimit(.minutes(4))) struct ClusterTests {
    private let program: Program
    private let nats: NatsTestServer

    init() async throws {
      program = try Program()
      nats = try await NatsTestServer.start()
    }

    /// Starts a server with a folder of its own.
    private func server(_ data: String, _ options: String = "") async throws -> ClusterServer {
      try await ClusterServer(program, "--data \(data) --cluster-key key --queue \(nats.address) \(options)")
    }

    private func worker(_ options: String = "--jobs 1") throws -> RunningProgram {
      try program.start("exec \"$GALLEY\" work --queue \(nats.address) \(options)")
    }

    @Test func twoServersShowEveryRenderOfBoth() async throws {
      let (one, other) = (try await server("one"), try await server("other"))
      let worker = try worker()
      defer { worker.stop() }
      let red: [String: Any] = ["markup": "<h1 style='color:red'>é 1</h1>", "size": "333x77", "name": "red ad"]
      let first = try await one.render(red)
      #expect(first.renderStatus == "completed", "\(first.text)")
      // Whoever asks the other server sees it at once, with its files.
      let seen = try await other.send("GET", "/v1/renders/\(first.id)")
      #expect(seen.renderStatus == "completed")
      let picture = "/v1/renders/\(first.id)/screenshots/001-default"
      let (here, there) = (try await one.send("GET", picture), try await other.send("GET", picture))
      #expect(there.body.starts(with: [0x89, 0x50, 0x4E, 0x47]) && here.body == there.body)
      let second = try await other.render(["markup": "<h1 style='color:blue'>2</h1>", "name": "blue", "checks": true])
      for server in [one, other] {
        let list = try await server.send("GET", "/v1/renders").json["renders"] as? [[String: Any]]
        #expect(list?.compactMap { $0["id"] as? String } == [second.id, first.id])
        #expect(try await server.send("GET", "/renders/\(second.id)").status == 200)
        let report = try await server.send("GET", "/v1/renders/\(second.id)/report", headers: ["Accept": "text/html"])
        #expect(report.status == 200)
      }
      // One key at two servers is one render.
      let key = ["Idempotency-Key": "k"]
      async let left = one.send("POST", "/v1/renders", ["markup": "x"], headers: key)
      async let right = other.send("POST", "/v1/renders", ["markup": "x"], headers: key)
      let (a, b) = try await (left, right)
      #expect(!a.id.isEmpty && a.id == b.id)
      // A baseline that one server was told is the other's as well, and so is a comparison.
      let place = "/v1/baselines/red%20ad/iphone-15"
      #expect(try await one.send("PUT", place, ["render": first.id]).status == 201)
      #expect(try await other.send("PUT", place, ["render": first.id]).status == 200)
      let diff = try await other.send("POST", "/v1/diffs", ["first": first.id, "second": second.id])
      #expect(diff.json["verdict"] as? String == "different")
      #expect(try await one.send("GET", "/v1/diffs/\(diff.json["id"] as? String ?? "")").status == 200)
      #expect(try await other.send("DELETE", place).status == 204)
      #expect(try await one.send("DELETE", "/v1/renders/\(first.id)").status == 204)
      #expect(try await other.send("GET", "/v1/renders/\(first.id)").status == 404)
    }

    /// Stores no folder on a server for a result that is never viewed, unless it is compared with a baseline.
    @Test func filesComeWhenSomebodyLooks() async throws {
      let servers = [try await server("one"), try await server("other")]
      let worker = try worker()
      defer { worker.stop() }
      let isHere = { (server: String, id: String) in self.program.has("\(server)/renders/\(id)/out") }
      let ad: [String: Any] = ["markup": "<h1>1", "size": "333x77", "name": "ad", "labels": ["run": "1"]]
      var ids: [String] = []
      for server in servers {
        ids.append(try await server.send("POST", "/v1/renders", ad).id)
        var listed = ""
        while !listed.contains("completed") { listed = try await server.send("GET", "/v1/renders?limit=1").text }
        #expect(
          listed.contains(ids[ids.count - 1]) && !isHere("one", ids[ids.count - 1])
            && !isHere("other", ids[ids.count - 1]))
      }
      let (first, same) = (ids[0], ids[1])
      // Its worker has said how it ended: no server was handed anything.
      let connection = try await NatsConnection.connect(try NatsSettings(nats.address))
      let handed = { try await connection.stateOfStream("galley-endings").lastSequence }
      #expect(try await handed() == 0)
      // Approving is looking, at whichever server.
      #expect(try await servers[0].send("PUT", "/v1/baselines/ad/iphone-15.333x77", ["render": same]).status == 201)
      #expect(isHere("one", same) && !isHere("other", same) && !isHere("one", first))
      #expect(try await servers[1].send("GET", "/v1/baselines/ad/iphone-15.333x77").status == 200)
      var again = ad
      for (markup, verdict) in [("<h1>1", "unchanged"), ("<h1>2", "changed")] {
        again["markup"] = markup
        let next = try await servers[1].render(again)
        let review = try await servers[1].send("GET", "/v1/renders/\(next.id)/review")
        #expect(review.json["comparison"] as? String == verdict, "\(review.text)")
        #expect(isHere("one", next.id) || isHere("other", next.id))
      }
      #expect(try await handed() == 2)
      #expect(try await servers[1].send("GET", "/renders/\(first)").status == 200)
      #expect(isHere("other", first))
    }

    /// Fetches the files at either server, independent of the one that recorded the end.
    @Test func whoWaitsAtAServerGetsTheFiles() async throws {
      let servers = [try await server("one"), try await server("other")]
      let worker = try worker()
      defer { worker.stop() }
      for server in servers {
        let ad: [String: Any] = ["markup": "<h1>é</h1><script>console.log('said')</script>", "size": "333x77"]
        let done = try await server.render(ad)
        #expect((done.json["result"] as? [String: Any])?["outcome"] as? String == "completed", "\(done.text)")
        let picture = try await server.send("POST", "/v1/screenshot", ad)
        #expect(picture.status == 200 && picture.headers["content-type"] == "image/png")
        let followed = try await server.send("POST", "/v1/renders", ad)
        let told = try await server.send(
          "GET", "/v1/renders/\(followed.id)/events", headers: ["Accept": "text/event-stream"])
        #expect(told.text.contains("said") && told.text.contains("event: end"), "\(told.text)")
      }
    }

    @Test func aServerThatComesLaterKnowsWhatWasBefore() async throws {
      let one = try await server("one")
      let worker = try worker()
      defer { worker.stop() }
      let done = try await one.render(["markup": "<p>early"])
      one.program.signal(SIGKILL)
      _ = await one.program.outcome()
      let late = try await server("late")
      #expect(try await late.send("GET", "/v1/renders/\(done.id)").renderStatus == "completed")
      let again = try await late.render(["again": done.id])
      #expect(again.renderStatus == "completed", "\(again.text)")
    }

    @Test func aWorkerThatIsToldToStopGivesBackWhatItIsAt() async throws {
      let page = try LoopbackServer { path, time in
        path == "/picture" && time == 1 ? nil : .init(body: path == "/" ? "<p>ad<script src=/picture></script>" : "")
      }
      let one = try await server("one", "--allow-private-network")
      let first = try worker("--jobs 1 --drain 0 --allow-private-network")
      let running = try await one.send("POST", "/v1/renders", ["url": page.address + "/"])
      await page.awaitRequest("/picture")
      first.signal(SIGTERM)
      #expect(await first.outcome().code == 0)
      let second = try worker("--jobs 1 --allow-private-network")
      defer { second.stop() }
      let began = ContinuousClock.now
      #expect(try await one.ended(running.id).renderStatus == "completed")
      // Half a minute would be a lease that was missed.
      #expect(began.duration(to: .now) < .seconds(25))
    }

    /// Returns a lost lease to its previous holder, which still renders for the first lease.
    @Test func aJobThatComesBackToItsWorkerIsBegunAnew() async throws {
      let secondCame = DispatchSemaphore(value: 0)
      let (asked, ask) = AsyncStream.makeStream(of: Void.self)
      let page = try LoopbackServer { path, time in
        guard path == "/picture" else { return .init(body: "<p>ad<script src=/picture></script>") }
        if time == 2 { secondCame.signal() }
        ask.yield()
        if time == 1 { _ = secondCame.wait(timeout: .now() + 60) }
        // The second is at work when the first is done.
        return .init(body: "for (let n = 0; \(time) == 2 && n < 2e9; n++); console.log('answer \(time)')")
      }
      let one = try await server("one", "--allow-private-network")
      let connection = try await NatsConnection.connect(try NatsSettings(nats.address))
      let deliveries = try await Subscription.open("_INBOX.>", on: connection)
      let worker = try worker("--jobs 2 --allow-private-network")
      defer { worker.stop() }
      let running = try await one.send("POST", "/v1/renders", ["url": page.address + "/"])
      for await _ in asked { break }
      var lease: String?
      while lease == nil, let message = try await deliveries.next(within: .seconds(10)) {
        guard String(decoding: message.bytes, as: UTF8.self) == running.id else { continue }
        lease = message.reply
      }
      // As if nothing had been heard of it for too long.
      try await connection.send(NatsMessage(try #require(lease), "-NAK"))
      try await connection.flush()
      let ended = try await one.ended(running.id)
      #expect(ended.renderStatus == "completed", "\(ended.text)")
      #expect((ended.json["attempts"] as? Int ?? 0) == 2, "\(ended.text)")
      let log = try await one.send("GET", "/v1/renders/\(running.id)/events")
      #expect(log.text.contains("answer 2") && !log.text.contains("answer 1"), "\(log.text)")
    }

    @Test func nothingStaysOfAWorkerThatIsKilled() async throws {
      let page = try LoopbackServer { path, _ in
        path == "/picture" ? nil : .init(body: "<p>ad<script src=/picture></script>")
      }
      let one = try await server("one", "--allow-private-network")
      let worker = try program.start(
        "mkdir tmp; TMPDIR=$PWD/tmp exec \"$GALLEY\" work --queue \(nats.address) --jobs 1 --allow-private-network")
      _ = try await one.send("POST", "/v1/renders", ["url": page.address + "/"])
      await page.awaitRequest("/picture")
      let folders = { try FileManager.default.contentsOfDirectory(atPath: program.folder + "/tmp") }
      // What it is at is there, in a folder that its lock is in.
      #expect(try folders().contains { program.has("tmp/\($0)/work") })
      worker.signal(SIGKILL)
      _ = await worker.outcome()
      let patience = ContinuousClock.now + .seconds(10)
      while try !folders().isEmpty, ContinuousClock.now < patience { await Task.yield() }
      #expect(try folders() == [])
    }

    @Test func aBatchComesHomeLikeALocalRun() async throws {
      try program.file("my ads/one.html", "<meta name=ad.size content='width=333,height=77'><img src='a b.svg'>")
      try program.file("my ads/a b.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
      try program.file("two/index.html", "<h1>two</h1><script src=mraid.js></script>")
      try program.file("broken.zip", "PK\u{3}\u{4}nothing")
      let (one, worker) = (try await server("one"), try worker())
      defer { worker.stop() }
      let creatives = "'my ads/one.html' two broken.zip"
      let local = try await program.shell("exec \"$GALLEY\" render --json --out local \(creatives)")
      let sent = try await program.shell(
        "exec \"$GALLEY\" render --json --out sent --queue \(nats.address) \(creatives)")
      #expect(local.code == sent.code, "\(sent.errors)")
      #expect(try local.document().endings == sent.document().endings)
      let files = try await program.shell(
        "for d in local sent; do (cd $d; find | sort) >$d.list; done; diff local.list sent.list")
      #expect(files.code == 0, "\(files.output)")
      let pictures = try await program.shell(
        "cd local; for f in $(find . -name '*.png' | tr ' ' '?'); do cmp \"$f\" \"../sent/$f\" || exit 1; done")
      #expect(pictures.code == 0, "\(pictures.output)\(pictures.errors)")
      // Of a batch servers show nobody anything.
      #expect((try await one.send("GET", "/v1/renders").json["renders"] as? [Any])?.isEmpty == true)
    }

    @Test func survivesWhatOthersPutIntoTheQueue() async throws {
      let one = try await server("one")
      let settings = try NatsSettings(nats.address)
      let forger = try await NatsConnection.connect(settings)
      let broken = #"{"version":1,"kind":"accept","ticket":"","change":{}}"#
      for bytes in ["", "nonsense", broken, #"{"version":1}"#] {
        try await forger.publish(NatsMessage("galley.journal", bytes))
      }
      try await forger.publish(NatsMessage("galley.jobs.normal.v1+clock-virtual", "../../etc/passwd"))
      try await forger.publish(NatsMessage("galley.ended", "../../nobody"))
      try await forger.send(NatsMessage("galley.notice.x", "nonsense"))
      let worker = try worker()
      defer { worker.stop() }
      #expect(try await one.render(["markup": "<p>after all"]).renderStatus == "completed")
      // Only servers of this queue can say that a later one is there.
      try await forger.publish(NatsMessage("galley.journal", "{\"version\":3,\"kind\":\"accept\",\"ticket\":\"t\"}"))
      #expect(try await one.render(["markup": "<p>still"]).renderStatus == "completed")
      let metrics = try await one.send("GET", "/metrics").text
      #expect(metrics.contains("\ngalley_journal_refused_total 5\n"), "\(metrics)")
    }

    @Test func aServerWithAnotherKeyIsSentAway() async throws {
      let one = try await server("one")
      let other = try await program.shell(
        "exec \"$GALLEY\" serve --port 0 --data other --cluster-key wrong --queue \(nats.address)")
      #expect(other.code == 2 && other.errors.contains("cluster-key-differs"), "\(other.errors)")
      #expect(try await one.send("GET", "/readyz").status == 200)
    }

    @Test func saysInOneLineWhyThereIsNoQueue() async throws {
      for command in ["serve --data d --port 0", "work"] {
        let outcome = try await program.shell("exec \"$GALLEY\" \(command) --queue nats://127.0.0.1:1")
        #expect(outcome.code == 3 && outcome.errors.contains("nats-unreachable"), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      }
      let batch = try await program.shell(
        "echo '<p>ad' >ad.html; exec \"$GALLEY\" render ad.html --queue nats://127.0.0.1:1")
      #expect(batch.code == 3, "\(batch.code)")
      let text = batch.output + batch.errors
      #expect(text.contains("nats-unreachable") && !text.contains("queue-sender-ended"), "\(text)")
      let wrong = try await program.shell("exec \"$GALLEY\" serve --queue 200")
      #expect(wrong.code == 2 && wrong.errors.contains("--max-waiting"), "\(wrong.errors)")
    }
  }
}

/// Started `galley serve --queue`, and requests to it.
final class ClusterServer: Sendable {
  let program: RunningProgram
  private let address: String

  init(_ program: Program, _ options: String) async throws {
    self.program = try program.start("exec \"$GALLEY\" serve --port 0 --json \(options)")
    address = try await RunningServer.address(of: self.program)
  }

  deinit { program.stop() }

  func send(
    _ method: String, _ path: String, _ json: [String: Any]? = nil, headers: [String: String] = [:]
  ) async throws -> RunningServer.Answer {
    try await RunningServer.send(method, address + path, json, headers: headers)
  }

  func render(_ json: [String: Any]) async throws -> RunningServer.Answer {
    try await send("POST", "/v1/renders", json, headers: ["Prefer": "wait=80"])
  }

  func ended(_ id: String) async throws -> RunningServer.Answer {
    _ = try await send("GET", "/v1/renders/\(id)/events", headers: ["Accept": "text/event-stream"])
    return try await send("GET", "/v1/renders/\(id)")
  }
}
