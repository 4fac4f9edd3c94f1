import Checks
import Core
import Exploration
import MRAID
import RenderModel

/// A playable that keeps every rule of a profile, until a test breaks one of them.
struct SamplePlayable {
  let profile: Profile
  var head = "<meta name='ad.orientation' content='portrait,landscape'>"
  var body = ""
  /// Statements of the only script.
  var code: [String]
  /// Members of config.json.
  var config: [String: JSONValue]
  var extra: [Inventory.File] = []
  var isZip: Bool
  /// Folder in which all files lie, with a slash at its end.
  var folder = ""
  var bytes = 1000
  var events: [Event]
  var explored: ExploredStates?
  var change: @Sendable (inout CheckContext) -> Void = { _ in }

  /// Indicates if the network's store call is that of MRAID.
  let usesMRAID: Bool

  static let script = event(.network, "resource", ["url": "creative://ad/mraid.js", "status": 200])

  init(_ profile: Profile) {
    self.profile = profile
    let rules = profile.rules
    let store = rules.filter { $0.check == "store-call" }.compactMap { $0.calls?.first }
    let life = rules.filter { $0.check == "playable-lifecycle" }
    code = (store + life.flatMap { $0.calls ?? [] }).map(Self.statement)
    code += life.flatMap { $0.answers ?? [] }.map(Self.function)
    usesMRAID = store.contains("mraid.open")
    events = usesMRAID ? [Self.script, call("getState")] : []
    events += life.flatMap { $0.atLoad ?? [] }.map { event(.playable, "called", ["call": .string($0)]) }
    let host = rules.first { $0.check == "external-request" }?.except?.first ?? "net.example"
    events += rules.compactMap(\.scripts?.first).map {
      event(.network, "resource", ["url": .string("https://\(host)/\($0)"), "status": 200])
    }
    isZip = rules.contains { $0.packages == ["zip"] || $0.files != nil || $0.names != nil || $0.depth != nil }
    config = [:]
    for rule in rules where rule.check == "package-config" {
      for (member, allowed) in rule.members ?? [:] { config[member] = allowed.first ?? 1 }
    }
  }

  static func statement(_ call: String) -> String { call.hasSuffix(")") ? "\(call);" : "\(call)();" }
  static func function(_ name: String) -> String { "function \(name)() {}" }

  /// Files that the profile's rules ask for, and those of the test.
  private var files: [Inventory.File] {
    let asked = profile.rules.filter { $0.check == "package-shape" }.flatMap { $0.files ?? [] }
      .map { String($0.replacing("{name}", with: "ad").prefix { $0 != "|" }) }
    let document = isZip ? asked.first { $0.hasSuffix(".html") } ?? "index.html" : "index.html"
    let text = "<head>\(head)</head><body>\(body)<script>\(code.joined(separator: "\n"))</script></body>"
    var files = [Inventory.File(path: folder + document, bytes: bytes, text: text)] + extra
    if isZip, asked.contains("config.json") {
      let text = JSONText.line(JSONValue.object(config))
      files.append(Inventory.File(path: folder + "config.json", bytes: text.utf8.count, names: text))
    }
    return files
  }

  var context: CheckContext {
    .made(
      events, files: files, kind: isZip ? "zip" : "html", packed: isZip ? bytes : nil,
      name: isZip ? "ad.zip" : "ad.html", explored: explored, profiles: [profile]
    ) {
      $0.record.container = profile.container
      $0.record.placement = .init(kind: .interstitial, width: 393, height: 852, position: nil)
      change(&$0)
    }
  }
}

extension SamplePlayable {
  /// Breaks one rule and nothing else; returns false if no break of such a rule is known.
  mutating func breaks(_ rule: Profile.Rule) -> Bool {
    breaksPackage(rule) || breaksCode(rule) || breaksCalls(rule) || breaksView(rule)
  }

  private mutating func breaksPackage(_ rule: Profile.Rule) -> Bool {
    switch rule.check {
    case "delivered-weight":
      let limit = rule.packageLimits?[isZip ? "zip" : "html"] ?? rule.limit ?? 0
      bytes = Bounded.int(limit, in: 0...10_000_000) + 1
    case "single-file": extra.append(Inventory.File(path: "a.png", bytes: 1))
    case "file-count":
      let most = Bounded.int(rule.limit ?? 0, in: 1...1000)
      extra += (1...most).map { Inventory.File(path: "f\($0).png", bytes: 1) }
    case "package-shape" where rule.packages != nil: isZip = false
    case "package-shape" where rule.files != nil: folder = "x/"
    case "package-shape" where rule.names != nil: extra.append(Inventory.File(path: "é.png", bytes: 1))
    case "package-shape": extra.append(Inventory.File(path: "x/y.png", bytes: 1))
    case "package-config": for member in (rule.members ?? [:]).keys { config[member] = nil }
    default: return false
    }
    return true
  }

  private mutating func breaksCode(_ rule: Profile.Rule) -> Bool {
    switch rule.check {
    case "store-call", "playable-lifecycle":
      let gone = rule.calls?.map(Self.statement) ?? rule.answers?.prefix(1).map(Self.function) ?? []
      code.removeAll { gone.contains($0) }
      if rule.check == "playable-lifecycle" { events.removeAll { $0.source == .playable } }
    case "sound-when-hidden": code.append("new AudioContext();")
    case "refused-code": code.append("var a = '\(rule.refuses?.first ?? "")';")
    case "script-syntax-level": code.append("a?.b;")
    case "top-window": code.append("top.location.href;")
    case "root-relative-address": body = "<img src=\"/a.png\">"
    case "missing-orientation-meta": head = ""
    case "unsupported-size": head = "<meta name='ad.size' content='width=300,height=250'>"
    default: return false
    }
    return true
  }

  private mutating func breaksCalls(_ rule: Profile.Rule) -> Bool {
    let address: JSONValue = "https://a.example/"
    switch rule.check {
    case "open-without-gesture":
      let opened = event(.playable, "storeOpened", ["call": "x", "gesture": false])
      events.append(usesMRAID ? call("open", address) : opened)
    case "premature-call": events.append(call("open", address, gesture: true, state: "loading"))
    case "click-without-open":
      events.append(event(.input, "tap", ["x": 1, "y": 1]))
      events.append(event(.page, "popup", ["url": address, "gesture": true, "allowed": false]))
    case "self-removal": events.append(call("unload"))
    case "locked-orientation": events.append(call("setOrientationProperties", ["forceOrientation": "portrait"]))
    case "missing-mraid-script": events.removeAll { $0 == Self.script }
    case "missing-network-script": events.removeAll { $0.source == .network }
    case "auto-redirect":
      events.append(event(.page, "navigation", ["url": address, "gesture": false, "allowed": false]))
    case "external-request":
      events.append(event(.network, "resource", ["url": "https://evil.example/a.png", "status": 200]))
    case "insecure-request":
      events.append(event(.network, "resource", ["url": "http://a.example/a.png", "status": 200]))
    case "console-error": events.append(event(.page, "console", ["level": "error", "text": "oh"]))
    default: return false
    }
    return true
  }

  private mutating func breaksView(_ rule: Profile.Rule) -> Bool {
    switch rule.check {
    case "audible-start":
      change = { context in
        let sound = MediaElement(selector: "audio#tune", isPlaying: true, isAudible: true)
        context.measurements = .made(context.resources + [resource("creative://ad/mraid.js")])
        context.measurements?.pages = [
          PageAudit(state: .default, t: 0, width: 393, height: 852, document: DocumentAudit(media: [sound]))
        ]
      }
    case "media-before-viewable":
      change = { context in
        context.measurements = .made(context.resources + [resource("creative://ad/mraid.js")])
        context.measurements?.beforeShown = EarlyPlayback(media: 1, animations: 0)
      }
    case "load-time":
      change = { context in
        context.measurements = .made(context.resources + [resource("creative://ad/mraid.js")])
        context.measurements?.load = LoadBoundary.all(
          domContentLoaded: 500, windowLoad: 10_001, complete: 900, dividing: [])
      }
    case "covered-close":
      explored = ExploredStates(anomalies: [.init(.closeCovered, "div#x is covered by div#veil")])
    case "custom-close-button":
      let target = TapTarget(selector: "#x", element: "div#x", reasons: [], closes: true)
      explored = ExploredStates(states: [PageSnapshot(moment: "start", state: .default, targets: [target])])
    default: return false
    }
    return true
  }
}
