import Checks
import Core
import RenderModel

extension CheckCase {
  private static let meta = Profile.network("store-call", in: "meta") { $0.calls = ["FbPlayableAd.onCTAClick"] }
  private static let life = Profile.network("playable-lifecycle", in: "mintegral") {
    $0.calls = ["gameReady"]
    $0.order = ["gameReady", "gameEnd"]
    $0.answers = ["gameStart"]
  }

  private static let ready = Profile.network("playable-lifecycle", in: "mintegral") { $0.atLoad = ["gameReady"] }

  private static let tag = Profile.network("missing-network-script") {
    $0.scripts = ["sdk.js", "other.js"]
    $0.calls = ["openAppStore"]
  }

  private static func requested(_ url: String) -> Event {
    event(.network, "resource", ["url": .string(url), "status": 200])
  }

  private static func called(_ call: String, _ name: String = "called") -> Event {
    event(.playable, name, ["call": .string(call), "arguments": [], "gesture": true])
  }

  private static func code(
    _ code: String, _ profile: Profile, _ events: [Event] = [], container: String? = nil
  ) -> CheckContext {
    .made(events, files: [.document("<script>\(code)</script>")], kind: "html", profiles: [profile]) {
      $0.record.container = container
    }
  }

  private static func zip(_ paths: String..., config: String = "{}", profile: Profile) -> CheckContext {
    let files = paths.map {
      $0.hasSuffix(".json") ? .init(path: $0, bytes: 2, names: config) : Inventory.File(path: $0, text: "<p>")
    }
    return .made(files: files, kind: "zip", name: "ad.zip", profiles: [profile])
  }

  private static let shape = Profile.network("package-shape") { $0.files = ["index.html", "config.json"] }
  private static let config = Profile.network("package-config") { $0.members = ["orientation": [0, 1]] }
  private static let loading = Profile.network("load-time", limit: 10)
  private static func loaded(_ t: Double) -> CheckContext {
    .made(resources: [], profiles: [loading]) {
      $0.measurements?.load = LoadBoundary.all(domContentLoaded: 1, windowLoad: t, complete: t, dividing: [])
    }
  }

  static let playable: [CheckCase] = [
    CheckCase(
      "store-call", trips: code("mraid.open('https://a.example')", meta),
      passes: code("b.onclick = function () { FbPlayableAd.onCTAClick() }", meta)),
    CheckCase(
      "store-call", trips: code("say('hello')", meta),
      passes: code("", meta, [called("FbPlayableAd.onCTAClick", "storeOpened")])),
    CheckCase(
      "missing-network-script", trips: code("openAppStore()", tag, [requested("https://a.example/sdk.js.png")]),
      passes: code("openAppStore()", tag, [requested("https://a.example/v2/SDK.js?a=1")])),
    CheckCase(
      "missing-network-script", trips: code("openAppStore()", tag, [requested("creative://ad/sdk.js")]),
      passes: .made(
        [requested("creative://ad/sdk.js"), called("openAppStore", "storeOpened")],
        files: [.document(""), Inventory.File(path: "sdk.js", text: "")], profiles: [tag])),
    CheckCase(
      "missing-network-script", trips: code("// sdk.js", tag, [called("openAppStore", "storeOpened")]),
      passes: code("install()", tag, [called("install", "storeOpened")])),
    CheckCase(
      "playable-lifecycle", trips: code("function gameStart() {}", life),
      passes: code("function gameStart() {} window.gameReady && window.gameReady()", life)),
    CheckCase(
      "playable-lifecycle",
      trips: code("gameReady(); gameStart = go", life, [called("gameEnd"), called("gameReady")]),
      passes: code("gameReady(); gameStart = go", life, [called("gameReady"), called("gameEnd")])),
    CheckCase(
      "playable-lifecycle",
      trips: code(
        "gameReady(); gameStart = go", life,
        [event(.playable, "sent", ["call": "gameStart", "answered": false])], container: "mintegral"),
      passes: code(
        "gameReady(); gameStart = go", life,
        [event(.playable, "sent", ["call": "gameStart", "answered": true])], container: "mintegral")),
    CheckCase(
      "playable-lifecycle",
      trips: code("go.later(gameReady)", ready, [called("gameEnd")], container: "mintegral"),
      passes: code("", ready, [called("window.gameReady")], container: "mintegral")),
    CheckCase(
      "playable-lifecycle", trips: code("", ready, container: "mintegral"), passes: code("", ready, container: "gma")),
    CheckCase(
      "sound-when-hidden", trips: code("var a = new AudioContext()", .network("sound-when-hidden")),
      passes: code(
        "var a = new AudioContext(); document.addEventListener('visibilitychange', hush)",
        .network("sound-when-hidden"))),
    CheckCase(
      "locked-orientation",
      trips: .made(
        [call("setOrientationProperties", ["forceOrientation": "portrait"])],
        profiles: [.network("locked-orientation")]),
      passes: .made(
        [call("setOrientationProperties", ["allowOrientationChange": true, "forceOrientation": "none"])],
        profiles: [.network("locked-orientation")])),
    CheckCase(
      "package-shape", trips: zip("game/config.json", "index.html", profile: shape),
      passes: zip("config.json", "index.html", "game/a.html", profile: shape)),
    CheckCase(
      "package-config", trips: zip("config.json", config: "{\"orientation\": 2}", profile: config),
      passes: zip("config.json", config: "{\"orientation\": 1, \"more\": 2}", profile: config)),
    CheckCase(
      "package-config", trips: zip("config.json", config: "{orientation: 1}", profile: config),
      passes: zip("config.json", config: "{\"orientation\": 0}", profile: config)),
    CheckCase("load-time", trips: loaded(10_001), passes: loaded(10_000)),
    CheckCase(
      "refused-code",
      trips: code("dapi.isReady()", .network("refused-code") { $0.refuses = ["dapi"] }),
      passes: code("mydapi.go(dapi2)", .network("refused-code") { $0.refuses = ["dapi"] })),
    CheckCase(
      "script-syntax-level",
      trips: code("go(a?.b)", .network("script-syntax-level") { $0.edition = 2019 }),
      passes: code("go(a?.5:b, 'c?.d', /e?.[f]/)", .network("script-syntax-level") { $0.edition = 2019 })),
  ]
}
