import Checks
import Jobs
import MRAID

extension CheckCase {
  private static func leaving(_ name: String, gesture: Bool) -> Evidence {
    .made([event(.page, name, ["url": "https://a.example/?id=7", "gesture": .bool(gesture), "allowed": false])])
  }
  private static func leaving(popup url: String) -> Evidence {
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
  private static func happening(_ id: String, _ name: String, _ detail: JSONValue = [:]) -> CheckCase {
    CheckCase(id, trips: .made([event(.page, name, detail)]), passes: .made([event(.page, "loadFinished")]))
  }

  static let security: [CheckCase] = [
    CheckCase(
      "auto-redirect", trips: leaving("navigation", gesture: false), passes: leaving("navigation", gesture: true)),
    CheckCase(
      "automatic-open", trips: .made([call("open", "https://a.example/")]),
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
    code("miner", trips: "importScripts('randomx.js')", passes: "var kinds = [RandomXY, randomX.value]"),
    code("miner", trips: "new CoinHive.Anonymous('k')", passes: "var coin = hive.next()"),
  ]
}
