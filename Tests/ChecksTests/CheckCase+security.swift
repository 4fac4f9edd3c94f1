import Checks
import Core
import MRAID
import RenderModel

extension CheckCase {
  private static func leaving(_ name: String, gesture: Bool) -> CheckContext {
    .made([event(.page, name, ["url": "https://a.example/?id=7", "gesture": .bool(gesture), "allowed": false])])
  }
  private static func leaving(popup url: String) -> CheckContext {
    .made([event(.page, "popup", ["url": .string(url), "gesture": true, "allowed": false])])
  }
  private static func code(_ id: String, trips: String, passes: String) -> CheckCase {
    CheckCase(
      id, trips: .made(files: [.init(path: "ad.js", text: trips)]),
      passes: .made(files: [.init(path: "ad.js", text: passes)]))
  }
  private static func request(_ id: String, trips: String, passes: String) -> CheckCase {
    CheckCase(id, trips: .made(resources: [resource(trips)]), passes: .made(resources: [resource(passes)]))
  }
  private static func socket(_ url: String) -> CheckContext { .made([event(.page, "socket", ["url": .string(url)])]) }
  private static func happening(_ id: String, _ name: String, _ detail: JSONValue = [:]) -> CheckCase {
    CheckCase(id, trips: .made([event(.page, name, detail)]), passes: .made([event(.page, "loadFinished")]))
  }

  /// Creates the evidence of an ad that calls a known tracker under this consent.
  private static func tracking(_ consent: Consent?, asks: String? = nil, _ url: String) -> CheckContext {
    let asked = asks.map { [event(.page, "consent", ["api": .string($0), "command": "getTCData"])] } ?? []
    return .made(asked, resources: [resource(url)]) { $0.record.consent = consent }
  }

  /// Creates the evidence of an ad that was observed for a minute and did this after the third second.
  private static func late(
    _ events: [Event], until: Double = 60_000, sounds: [LateWatch.Sound] = []
  ) -> CheckContext {
    .made {
      let numbered = events.enumerated().map {
        Event(seq: $0 + 1, t: 31_000, source: $1.source, name: $1.name, detail: $1.detail)
      }
      let watch = LateWatch(firstEvent: 1, from: 3_000, until: until, sounds: sounds)
      $0.late = LateBehaviour(watch: watch, events: numbered)
    }
  }
  private static func late(_ event: Event) -> CheckCase {
    CheckCase("late-behaviour", trips: late([event]), passes: late([]))
  }

  static let security: [CheckCase] = [
    late(call("open", "https://a.example/")), late(call("expand")), late(call("close")),
    late(event(.page, "navigation", ["url": "market://x", "gesture": false, "allowed": false])),
    late(event(.page, "popup", ["url": "https://a.example/", "gesture": false])),
    late(event(.network, "resource", ["url": "https://a.example/x.gif"])),
    CheckCase(
      "late-behaviour", trips: late([], sounds: [.init(t: 35_000, selector: "video")]),
      passes: late([call("open", "https://a.example/", gesture: true), call("getState"), event(.page, "console")])),
    CheckCase("late-behaviour", trips: late([], until: 12_000), passes: late([], until: 59_500)),
    CheckCase(
      "tracks-without-consent", trips: tracking(.refused, "https://ad.doubleclick.net/pixel"),
      passes: tracking(.refused, asks: "tcf", "https://cdn.shop.example/ad.js")),
    CheckCase(
      "tracks-without-consent",
      trips: .made([event(.page, "storage", ["kind": "localStorage", "key": "uid"])]) { $0.record.consent = .refused },
      passes: .made([event(.page, "storage", ["kind": "sessionStorage", "key": "step"])]) {
        $0.record.consent = .refused
      }),
    CheckCase(
      "tracks-without-consent", trips: tracking(.undecided, asks: "tcf", "https://b.scorecardresearch.com/b?c1=2"),
      passes: tracking(.undecided, "https://notdoubleclick.net/pixel")),
    CheckCase(
      "auto-redirect", trips: leaving("navigation", gesture: false), passes: leaving("navigation", gesture: true)),
    CheckCase(
      "open-without-gesture", trips: .made([call("open", "https://a.example/")]),
      passes: .made([call("open", "https://a.example/", gesture: true)])),
    CheckCase("popup", trips: leaving("popup", gesture: false), passes: leaving("popup", gesture: true)),
    code(
      "top-window", trips: "window.top.location = 'x';",
      passes:
        "if (window.top === window.self) { el.style.marginTop = top.x; desktop.open = 1; window.top.postMessage(1) }"),
    happening("dialog", "dialog", ["kind": "alert", "message": "hello"]),
    request("insecure-request", trips: "http://a.example/x.png", passes: "https://a.example/x.png"),
    code(
      "insecure-request", trips: "logo.src = 'http://a.example/logo.png?v=2';",
      passes:
        "var svg = 'http://www.w3.org/2000/svg', go = '<a href=\"http://a.example/\">', own = {src: '//a.example/x'};"),
    code(
      "insecure-request", trips: "navigator.sendBeacon('http://a.example/seen');",
      passes: "navigator.sendBeacon('https://a.example/seen'); go.setAttribute('href', 'http://a.example/');"),
    code(
      "insecure-request", trips: "x.open(\"GET\", \"http://a.example/data\");",
      passes: "x.open('GET', 'https://a.example/data');"),
    CheckCase(
      "insecure-request",
      trips: .made(
        resources: [resource("https://a.example/a.js")],
        tried: [
          Journey(
            action: "tap #go",
            events: [event(.network, "resource", ["url": "http://b.example/tap?n=1", "status": 200])])
        ]),
      passes: .made(
        resources: [resource("https://a.example/a.js")],
        tried: [
          Journey(
            action: "tap #go", events: [event(.network, "resource", ["url": "https://b.example/tap", "status": 200])])
        ])),
    CheckCase(
      "insecure-request",
      trips: .made(resources: [resource("http://b.example/seen.gif")]) {
        $0.record.creative = .init(path: "http://127.0.0.1:8080/ad.html", kind: "url")
      },
      passes: .made(resources: [resource("http://127.0.0.1:8080/a.png")]) {
        $0.record.creative = .init(path: "http://127.0.0.1:8080/ad.html", kind: "url")
      }),
    code(
      "insecure-request", trips: "line = new WebSocket('ws://a.example/live?n=1');",
      passes: "line = new WebSocket('wss://a.example/live'), kind = 'ws://a.example/';"),
    CheckCase(
      "insecure-request", trips: socket("ws://a.example/live?n=1"), passes: socket("wss://a.example/live?n=1")),
    CheckCase("private-address", trips: socket("wss://192.168.0.4/live"), passes: socket("wss://a.example/live")),
    CheckCase(
      "insecure-request", trips: .made([event(.vast, "start", ["beacons": ["http://a.example/start?n=1"]])]),
      passes: .made([event(.vast, "start", ["beacons": ["https://a.example/start"]])])),
    CheckCase(
      "insecure-clickthrough", trips: .made([call("open", "http://a.example/?id=1", gesture: true)]),
      passes: .made([call("open", "https://a.example/", gesture: true)])),
    CheckCase(
      "insecure-clickthrough", trips: leaving(popup: "http://a.example/"), passes: leaving(popup: "https://a.example/")),
    code(
      "insecure-clickthrough", trips: "go.onclick = function () { window.open('http://a.example/'); };",
      passes: "request.open('GET', 'http://a.example/x'); reopen('http://a.example/y');"),
    code(
      "insecure-clickthrough", trips: "Enabler.exit('Shop exit', 'http://a.example/shop?q=' + place.value);",
      passes: "Enabler.exit('Shop exit', 'https://a.example/shop'); Enabler.exit('http://a.example/');"),
    request("private-address", trips: "https://192.168.0.4:8080/x.png", passes: "https://192.169.0.4/x.png"),
    happening("download", "download", ["url": "https://a.example/x.apk"]),
    happening("permission-request", "permission", ["kind": "geolocation"]),
    happening("browser-prompt", "print"),
    code(
      "history-manipulation", trips: "history.pushState({}, '', '#a')", passes: "var historyOf = story.history.length"),
    code(
      "service-worker", trips: "navigator.serviceWorker.register('sw.js')",
      passes: "if ('serviceWorker' in navigator) {}"),
    code("remote-code", trips: "eval(request.responseText)", passes: "JSON.parse(request.responseText); evaluate(1)"),
    code("crypto-miner", trips: "importScripts('randomx.js')", passes: "var kinds = [RandomXY, randomX.value]"),
    code("crypto-miner", trips: "new CoinHive.Anonymous('k')", passes: "var coin = hive.next()"),
  ]
}

extension CheckCase {
  private static func ended(_ outcome: RenderRecord.Outcome, _ fault: Fault, events: Bool = true) -> CheckContext {
    .made {
      $0.record.outcome = outcome
      ($0.record.origin, $0.record.code, $0.record.message) = (fault.origin, fault.code, fault.message)
      if !events { $0.journeys = [] }
    }
  }
  private static func happening(
    _ id: String, _ source: Event.Source, _ name: String, _ detail: JSONValue, passes: JSONValue? = nil
  ) -> CheckCase {
    CheckCase(
      id, trips: .made([event(source, name, detail)]),
      passes: .made(passes.map { [event(source, name, $0)] } ?? [event(.page, "loadFinished")]))
  }
  private static func markup(_ id: String, trips: String, passes: String) -> CheckCase {
    CheckCase(id, trips: .made(files: [.document(trips)]), passes: .made(files: [.document(passes)]))
  }
  /// Creates the evidence of a page that shows this text.
  private static func showing(_ text: String) -> CheckContext {
    .made(resources: []) {
      let element = DocumentAudit.Element(
        kind: "text", selector: "p", text: text, frame: Rect(x: 0, y: 0, width: 9, height: 9))
      $0.measurements?.pages = [
        PageAudit(
          state: .default, t: 0, width: 300, height: 250, document: DocumentAudit(placeholders: [element]))
      ]
    }
  }
  /// Creates the case of a file that no document names, with a script that doesn't name it and one that does.
  private static func orphan(_ path: String, script: String, passes: String) -> CheckCase {
    func context(_ script: String) -> CheckContext {
      .made(files: [.document("<script>\(script)</script>"), .init(path: path, bytes: 1)])
    }
    return CheckCase("orphaned-file", trips: context(script), passes: context(passes))
  }
  private static let files = [Inventory.File.document("<img src='img/a.png'>"), .init(path: "img/a.png", bytes: 1)]

  /// Creates a package with a file that only networks read.
  private static func packed(_ container: String?, _ profile: Profile? = nil) -> CheckContext {
    .made(files: files + [.init(path: "config.json", bytes: 1)], profiles: [profile].compactMap(\.self)) {
      $0.record.container = container
    }
  }

  private static func without(
    outcome: RenderRecord.Outcome = .completed, content: Double, usual: Double = 0.5, faults: [String] = []
  ) -> CheckContext {
    .made(resources: [resource("https://cdn.example/a.js", type: "text/javascript")]) {
      $0.outages = [
        Outage(host: "cdn.example", outcome: outcome, content: content, usualContent: usual, faults: faults)
      ]
    }
  }

  static let robustness: [CheckCase] =
    [
      CheckCase(
        "blank-without-cdn", trips: without(content: 0.001), passes: without(content: 0.4, faults: ["x is not defined"])
      ),
      CheckCase(
        "blank-without-cdn", trips: without(outcome: .timedOut, content: 0.4),
        passes: without(content: 0.001, usual: 0.01)),
      CheckCase(
        "no-fallback", trips: without(content: 0.4, faults: ["x is not defined"]), passes: without(content: 0.4)),
      CheckCase(
        "unreadable-creative", trips: ended(.failed, .creative("index-missing", "no index.html"), events: false),
        passes: .made()),
      CheckCase(
        "wrong-encoding",
        trips: .made(files: [
          Inventory.File(
            path: "index.html", bytes: 9, text: "gr\u{FFFD}e",
            strayByte: Inventory.StrayByte(line: 3, column: 12, isDeclared: true))
        ]), passes: .made(files: [.document("grüße \u{FFFD}")])),
      CheckCase(
        "vast-flaw", trips: .made([event(.vast, "ad", ["media": "a.mp4", "duration": 4, "skip": 10, "declared": 4])]),
        passes: .made([event(.vast, "ad", ["media": "a.mp4", "duration": 4, "skip": 2, "declared": 4.9])])),
      CheckCase(
        "vast-flaw", trips: .made([event(.vast, "ad", ["media": "a.mp4", "duration": 4, "declared": 6])]),
        passes: .made([event(.vast, "ad", ["media": "a.mp4", "duration": 0, "declared": 6])])),
      CheckCase("crash", trips: .made([event(.page, "webProcessEnded", ["reason": "crashed"])]), passes: .made()),
      happening(
        "exception", .page, "exception", ["message": "x is not defined", "file": "creative://ad/a.js", "line": 3]),
      happening("rejection", .page, "rejection", ["message": "no"]),
      happening(
        "console-error", .page, "console", ["level": "error", "text": "bad"],
        passes: ["level": "warning", "text": "hm"]),
      CheckCase(
        "missing-file", trips: .made(resources: [resource("creative://ad/a.png", status: 404)]),
        passes: .made(resources: [resource("https://a.example/a.png", status: 404)])),
      CheckCase(
        "failed-request",
        trips: .made(resources: [resource("https://a.example/a.png", status: 0, failure: "no answer")]),
        passes: .made(resources: [
          resource("https://a.example/a.png", status: 0, failure: "Load request cancelled"),
          resource("https://a.example/b.png"),
        ])),
      CheckCase(
        "failed-request",
        trips: .made(resources: [resource("https://a.example/a.png", status: 0, failure: "Error resolving “a.example”")]
        ) {
          $0.isMachineOffline = true
        },
        passes: .made(resources: [resource("https://a.example/b.png")])),
      CheckCase(
        "cut-off-request",
        trips: .made(
          [event(.network, "resource", ["url": "https://a.example/a.css", "refused": "offline"])],
          resources: [resource("https://a.example/a.css", status: 0, failure: "Load request cancelled")]),
        passes: .made(
          [event(.network, "resource", ["url": "https://a.example/b.png", "refused": "unknown-host"])],
          resources: [resource("https://a.example/b.png", status: 0, failure: "no answer")])),
      happening("policy-violation", .page, "violation", ["directive": "img-src", "blocked": "https://a.example/"]),
      markup(
        "root-relative-address", trips: "<img src=\"/img/a.png\">",
        passes: "<img src=\"//a.example/a.png\"><img src=\"img/a.png\">"),
      markup(
        "local-address", trips: "<img src=\"file:///C:/ads/a.png\">",
        passes: "<img src=\"profile:///a\"><p>Drive C: is full</p>"),
      CheckCase(
        "orphaned-file", trips: .made(files: files + [.init(path: "img/old.png", bytes: 1)]),
        passes: .made(files: files)),
      markup(
        "unfilled-macro", trips: "<script>var clickTag = '{{clickMacro}}'; var row = '{{name}}';</script>",
        passes: "<script>var clickTag = 'https://a.example/', row = '{{name}}'; go(`${A_B}`);</script>"),
      markup(
        "unfilled-macro", trips: "<div onclick='window.open(\"{CLICK_MACRO}\", \"_blank\")'>Go</div>",
        passes: "<div onclick='window.open(\"go.html\", \"{a}\")'>Go</div><script>x.open('GET', '{b}')</script>"),
      markup(
        "unfilled-macro", trips: "<script>location.href = '%%CLICK_URL_UNESC_X%%https://a.example/';</script>",
        passes: "<script>location.href = 'https://a.example/'; name = '{CLICK_MACRO}';</script>"),
      CheckCase("unfilled-macro", trips: showing("Hi {{name}}"), passes: showing("Hi {you}")),
      CheckCase(
        "unfilled-macro", trips: .made(resources: [resource("https://a.example/seen?ts=%5BTIMESTAMP%5D")]),
        passes: .made(resources: [resource("https://a.example/seen?ts=1&ids[]=2")])),
      CheckCase(
        "unfilled-macro", trips: .made([call("open", "https://a.example/?to=${WHERE}", gesture: true)]),
        passes: .made([call("open", "https://a.example/?to=%7B%22a%22:1%7D", gesture: true)])),
      CheckCase(
        "unfilled-macro",
        trips: .made(
          explored: ExploredStates(states: [PageSnapshot(moment: "a", state: .default, text: "Hi {{name}}")])),
        passes: .made(explored: ExploredStates(states: [PageSnapshot(moment: "a", state: .default, text: "Hi {you}")]))),
      orphan("img/old.png", script: "go('img/new.png')", passes: "var frames = 'img/old.png'"),
      orphan("lib/physics.js", script: "require('physicist')", passes: "require(['physics'], start)"),
      orphan("seq/run_07.png", script: "load('walk_' + i)", passes: "load(`run_${i}.png`)"),
      orphan("seq/it3_small.png", script: "load('at' + i + '_small.png')", passes: "load('it' + i + '_small.png')"),
      orphan("gfx/owl.png", script: "load('sfx/' + name)", passes: "load('gfx/' + name)"),
      orphan("179.chunk.js", script: "e + '.main.js'", passes: "({179: 'a'}[e] || e) + '.chunk.js'"),
      orphan(
        "seq/card_1.png", script: "x = {card_1: 'data:'}; go('card_1', 'image/png')",
        passes: "load('card_' + i + '.png')"),
      orphan("seq/owl.png", script: "load('owl', 'owl.jpg')", passes: "load('owl', `${name}.png?2`)"),
      orphan("css/owl.css", script: "turn('owl')", passes: "link.href = 'css/' + 'owl' + '.css'"),
      orphan("seq/owl.webp", script: "load('owl')", passes: "load('owl' + '.' + kind, 'webp')"),
      orphan("the owl.png", script: "load('the%20fox.png')", passes: "load('the%20owl.png')"),
      CheckCase(
        "orphaned-file", trips: .made(files: files + [.init(path: "a.bin", bytes: 1)]),
        passes: .made(
          files: files + [.init(path: "a.bin", bytes: 1), .init(path: "b.png", bytes: 1)],
          tried: [
            Journey(
              action: "tap #go", events: [event(.network, "resource", ["url": "creative://ad/a.bin", "status": 200])]),
            Journey(
              action: "tap #on", events: [event(.network, "resource", ["url": "creative://ad/b.png", "status": 200])]),
          ])),
      CheckCase(
        "orphaned-file",
        trips: .made(files: files + [.init(path: "b.png", bytes: 1), .init(path: "c.png", bytes: 1)]) {
          $0.inventory = $0.inventory?.naming("c.png")
        },
        passes: .made(files: files + [.init(path: "b.png", bytes: 1)]) { $0.inventory = $0.inventory?.naming("b.png") }),
      CheckCase("orphaned-file", trips: packed(nil), passes: packed("tiktok")),
      CheckCase(
        "orphaned-file", trips: packed(nil, .network("package-shape") { $0.files = ["x/config.json"] }),
        passes: packed(nil, .network("package-shape") { $0.files = ["index.html", "a.json|config.json"] })),
      CheckCase(
        "vast-flaw",
        trips: .made([
          event(.vast, "flaw", ["line": 3, "message": "<Companion> has no width and height; it is left out"])
        ]),
        passes: .made([event(.vast, "ad")])),
      CheckCase(
        "vast-flaw",
        trips: .made([
          event(.vast, "flaw", ["line": 3, "message": "<Ad> has no id", "url": "https://a.example/hop.xml?x=1"])
        ]),
        passes: .made([event(.vast, "ad")])),
      CheckCase(
        "vast-schema",
        trips: .made([departure("missing", "<InLine> has no <AdTitle>, which the schema of 4.2 requires")]),
        passes: .made([departure("order", "<Error> comes after <Impression>, and the schema of 4.2 has it before")])),
      CheckCase(
        "vast-order",
        trips: .made([departure("order", "<Error> comes after <Impression>, and the schema of 4.2 has it before")]),
        passes: .made([departure("value", "<Duration> is \"30\", not HH:MM:SS")])),
      CheckCase(
        "vast-error",
        trips: .made([event(.vast, "error", ["code": 603, "message": "the end card: nothing is there"])]),
        passes: .made([event(.vast, "ad")])),
      happening("event-flood", .host, "logTruncated", ["capacity": 20000]),
    ] + simid

  private static func departure(_ kind: String, _ message: String) -> Event {
    event(.vast, "departure", ["kind": .string(kind), "line": 3, "message": .string(message)])
  }

  private static let simid: [CheckCase] = [
    said("simid-no-session", .simid, "timeout", ["of": "createSession", "seconds": 5], not: ["of": "init"]),
    said("simid-init-failed", .simid, "timeout", ["of": "init", "seconds": 5], not: ["of": "adStopped"]),
    said(
      "simid-start-failed", .simid, "reject",
      ["from": "creative", "of": "startCreative", "value": ["errorCode": 1101, "message": "no picture"]],
      not: ["from": "player", "of": "requestSkip"]),
    said(
      "simid-fatal-error", .vast, "error", ["code": 902, "simid": 1205, "message": "too many messages: SIMID"],
      not: ["code": 1212, "message": "SIMID: no answer"]),
    said(
      "simid-message-refused", .simid, "refused", ["from": "creative", "reason": "json", "message": "no JSON"],
      not: ["from": "stranger", "reason": "window", "message": "another window"]),
    said(
      "simid-request-rejected", .simid, "reject",
      ["from": "player", "of": "requestSkip", "value": ["errorCode": 1203, "message": "it may not"]],
      not: ["from": "creative", "of": "init"]),
    said("simid-flaw", .simid, "flaw", ["message": "requestVolume is requestChangeVolume"], not: nil),
    said("simid-slow-end", .simid, "timeout", ["of": "adStopped", "seconds": 2], not: ["of": "init"]),
    CheckCase(
      "simid-extended-without-touch",
      trips: .made([event(.vast, "ad", ["duration": 4]), longer, event(.input, "tap")]),
      passes: .made([event(.vast, "ad", ["duration": 4]), event(.input, "tap"), longer])),
    said(
      "simid-session-guessable", .simid, "createSession", ["timing": ["session": "1"]],
      not: ["timing": ["session": "173378a4-b2e1-11e9-a2a3-2a2ae2dbcce4"]]),
    said(
      "simid-insecure-file", .vast, "ad", ["interactive": "http://a.example/s.html"],
      not: ["interactive": "https://a.example/s.html"]),
    said(
      "simid-without-film", .vast, "error",
      ["code": 409, "message": "the ad has no film", "programs": ["SIMID"]],
      not: ["code": 902, "simid": 1212, "message": "init wasn't answered"]),
  ]

  private static let longer = event(.simid, "requestChangeAdDuration", ["args": ["duration": -2]])

  /// Creates the case of an event that trips a check, and one of the same name that doesn't; nil for an ad without the
  /// event.
  private static func said(
    _ id: String, _ source: Event.Source, _ name: String, _ detail: JSONValue, not other: JSONValue?
  ) -> CheckCase {
    CheckCase(
      id, trips: .made([event(source, name, detail)]),
      passes: .made([other.map { event(source, name, $0) } ?? event(.simid, "init")]))
  }

  private static func blank(_ isBlank: Bool) -> CheckContext {
    .made(resources: []) {
      let surface = SurfaceAudit(isBlank: isBlank, hasBorder: false, whiteEdge: 0, blackEdge: 0)
      $0.measurements?.pages = [PageAudit(state: .default, t: 0, width: 300, height: 250, surface: surface)]
    }
  }

  static let rest: [CheckCase] = [
    CheckCase("blank-render", trips: blank(true), passes: blank(false)),
    CheckCase(
      "failed-scenario", trips: ended(.failed, .creative("expectation-failed", "steps.yaml:3: state is default")),
      passes: .made()),
    CheckCase("timed-out", trips: ended(.timedOut, .deadline("timeout", "30 s were over")), passes: .made()),
  ]
}

extension Inventory {
  /// Returns the inventory with a data file that names another.
  fileprivate func naming(_ name: String) -> Inventory {
    Inventory(
      kind: kind, name: self.name, entry: entry,
      files: files + [File(path: "index.json", bytes: 1, names: "{\"file\": \"\(name)\"}"), .document("'index.json'")])
  }
}
