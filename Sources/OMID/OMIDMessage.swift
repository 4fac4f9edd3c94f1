package import Core
internal import Foundation

/// Message from the service in an ad's page to the host; its content is untrusted.
package enum OMIDMessage: Hashable, Sendable {
  /// Measurement code listens to these types, a session observer to none; with the way of registration and missed
  /// events.
  case listens(OMIDListener)
  /// A session client made a call; with the client's own name of it.
  case call(String, OMIDCall, arguments: [JSONValue])
  /// The script with this identifier has been loaded, or failed to load.
  case script(String, isLoaded: Bool)
  /// A listener threw an error.
  case threw(type: String, message: String, vendor: String?, script: String?)
  /// The service refused a call, for the given reason.
  case refused(String, reason: String)
  /// Frame of the element in the page that is the ad; nil for none.
  case element(Rect?)

  /// Maximum length of a message in bytes.
  private static let longest = 100_000

  /// Parses a message; nil if the text isn't one.
  package init?(_ json: String) {
    guard json.utf8.count <= Self.longest,
      let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)), let kind = value["kind"]?.string,
      let message = Self.message(kind, value)
    else { return nil }
    self = message
  }

  private static func message(_ kind: String, _ value: JSONValue) -> OMIDMessage? {
    let text = { (name: String) in value[name]?.string?.cut(to: OMIDCall.longest) }
    switch kind {
    case "registered", "listens": return OMIDListener(value).map(OMIDMessage.listens)
    case "call":
      guard let method = text("method") else { return nil }
      let arguments = Array((value["arguments"]?.array ?? []).prefix(5))
      // A client's own id of its session is chance, and no news.
      let told = arguments.filter { $0.string?.wholeMatch(of: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/) == nil }
      return OMIDCall(method, arguments).map { .call(method, $0, arguments: told) }
    case "script": return text("script").map { .script($0, isLoaded: value["loaded"]?.bool == true) }
    case "threw":
      return .threw(
        type: text("type") ?? "", message: text("message") ?? "", vendor: text("vendor"), script: text("script"))
    case "refused": return .refused(text("method") ?? "", reason: text("reason") ?? "")
    case "element": return .element(value["bounds"].flatMap(Rect.init(told:)))
    default: return nil
    }
  }
}

/// Measurement code that listens to events.
package struct OMIDListener: Hashable, Sendable {
  /// Type that it registered for, nil for a session observer; `types` are the types it stands for.
  package var type: String?
  package var types: [String]
  package var vendor: String?
  /// Interface that it registered by: `omid3p`, `direct` or `message`.
  package var by: String
  /// Identifier of the script that it was injected as; nil for the ad's own code.
  package var script: String?
  /// Past events that it received at once because it registered late.
  package var missed: [String]

  init?(_ value: JSONValue) {
    guard let by = value["by"]?.string?.cut(to: 20) else { return nil }
    self.by = by
    type = value["type"]?.string?.cut(to: 50)
    types = Self.words(value["types"])
    vendor = value["vendor"]?.string?.cut(to: OMIDCall.longest)
    script = value["script"]?.string?.cut(to: 100)
    missed = Self.words(value["missed"])
  }

  private static func words(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).prefix(50).compactMap { $0.string?.cut(to: 50) }
  }
}

/// Call of a session client in the ad's page, by the standard client's names.
package enum OMIDCall: Hashable, Sendable {
  case clientInfo(OMIDClient)
  case inject([OMIDScriptResource])
  case contentURL(String)
  case registerAdEvents
  case registerMediaEvents
  case creativeType(String)
  case impressionType(String)
  case start
  case finish
  case error(type: String, message: String)
  case loaded(OMIDVastProperties?)
  case impression
  case media(OMIDMediaEvent)
  /// Call of this name with invalid arguments.
  case malformed(String)

  /// Maximum number of bytes of a text that are read.
  package static let longest = 4_000
  private static let mostScripts = 20
  private static let creativeTypes: Set<String> = ["htmlDisplay", "nativeDisplay", "video", "audio"]
  private static let impressionTypes: Set<String> = [
    "unspecified", "loaded", "beginToRender", "onePixel", "viewable", "audible", "other",
  ]
  private static let playerStates: Set<String> = ["minimized", "collapsed", "normal", "expanded", "fullscreen"]
  private static let interactions: Set<String> = ["click", "invitationAccept"]

  /// Parses a call; nil for a method that no client has.
  package init?(_ method: String, _ arguments: [JSONValue]) {
    let first = arguments.first ?? .null
    let text = first.string?.cut(to: Self.longest)
    let second = arguments.dropFirst().first ?? .null
    let wrong = OMIDCall.malformed(method)
    switch method {
    case "setClientInfo": self = Self.client(arguments) ?? wrong
    case "injectVerificationScriptResources":
      self =
        first.array.map { .inject($0.prefix(Self.mostScripts).compactMap(OMIDScriptResource.init(told:))) } ?? wrong
    case "setContentUrl": self = text.map(OMIDCall.contentURL) ?? wrong
    case "registerAdEvents": self = .registerAdEvents
    case "registerMediaEvents": self = .registerMediaEvents
    case "setCreativeType": self = Self.word(text, Self.creativeTypes).map(OMIDCall.creativeType) ?? wrong
    case "setImpressionType": self = Self.word(text, Self.impressionTypes).map(OMIDCall.impressionType) ?? wrong
    case "startSession": self = .start
    case "finishSession": self = .finish
    case "sessionError":
      let message = second.string?.cut(to: 500) ?? ""
      self = Self.word(text, ["generic", "video", "media"]).map { .error(type: $0, message: message) } ?? wrong
    case "impressionOccurred": self = .impression
    case "loaded":
      self = first.object == nil ? .loaded(nil) : OMIDVastProperties(told: first).map(OMIDCall.loaded) ?? wrong
    case "start":
      guard let duration = first.number, (0...359_999).contains(duration), let volume = Self.volume(second) else {
        self = wrong
        return
      }
      self = .media(.start(duration: duration, volume: volume))
    case "volumeChange": self = Self.volume(first).map { .media(.volumeChange($0)) } ?? wrong
    case "playerStateChange":
      self = Self.word(text, Self.playerStates).map { .media(.playerStateChange($0)) } ?? wrong
    case "adUserInteraction":
      self = Self.word(text, Self.interactions).map { .media(.adUserInteraction($0)) } ?? wrong
    default:
      guard OMIDMediaEvent.plainNames.contains(method) else { return nil }
      self = .media(.plain(method))
    }
  }

  private static func word(_ text: String?, _ known: Set<String>) -> String? {
    text.flatMap { known.contains($0) ? $0 : nil }
  }

  private static func volume(_ value: JSONValue) -> Double? {
    value.number.flatMap { (0...1).contains($0) ? $0 : nil }
  }

  private static func client(_ arguments: [JSONValue]) -> OMIDCall? {
    let words = arguments.prefix(3).compactMap { $0.string?.cut(to: 200) }
    guard words.count == 3 else { return nil }
    return .clientInfo(OMIDClient(version: words[0], partner: words[1], partnerVersion: words[2]))
  }
}

extension OMIDScriptResource {
  /// Reads a script as a session client gives it; nil if it has no address.
  init?(told value: JSONValue) {
    guard let url = value["resourceUrl"]?.string?.cut(to: OMIDCall.longest), !url.isEmpty else { return nil }
    let text = { (name: String) in value[name]?.string?.cut(to: OMIDCall.longest) }
    // Access by domain is no longer supported: it is limited.
    let mode: AccessMode = ["full", nil].contains(value["accessMode"]?.string) ? .full : .limited
    self.init(url: url, vendor: text("vendorKey"), parameters: text("verificationParameters"), accessMode: mode)
  }
}

extension OMIDVastProperties {
  /// Reads the properties in a session client's `loaded`; nil if one is missing.
  fileprivate init?(told value: JSONValue) {
    guard let isSkippable = value["isSkippable"]?.bool, let isAutoPlay = value["isAutoPlay"]?.bool,
      let position = value["position"]?.string.flatMap(Position.init(rawValue:))
    else { return nil }
    let offset = value["skipOffset"]?.number ?? 0
    self.init(
      skipOffset: isSkippable ? Bounded.number(offset, in: 0...359_999) : nil, isAutoPlay: isAutoPlay,
      position: position)
  }
}

extension Rect {
  /// Reads an element's frame as a page reports it; nil if it isn't a valid rectangle.
  fileprivate init?(told value: JSONValue) {
    let sides = ["x", "y", "width", "height"].compactMap { value[$0]?.number }
    guard sides.count == 4, sides[2] >= 0, sides[3] >= 0 else { return nil }
    let bound = { Bounded.number($0, in: -100_000...100_000) }
    self.init(x: bound(sides[0]), y: bound(sides[1]), width: bound(sides[2]), height: bound(sides[3]))
  }
}
