internal import Core

/// Facts about an ad and its app that are known before the session begins.
package struct OMIDFacts: Hashable, Sendable {
  /// Version of the standard's clients that the service implements.
  package static let serviceVersion = "1.6.0"
  /// Name of the partner that owns the sessions.
  package static let partner = "Galley"

  /// Kind of ad that is measured.
  package enum Kind: Hashable, Sendable {
    /// The ad's own page, which contains the measurement code.
    case page
    case film
    /// Native ad, which the app assembles from its parts.
    case card
  }

  package var kind: Kind
  /// Seed of random values; with `identity`, the ad's identity within a render, it determines session ids.
  package var seed: UInt32
  package var identity: String
  package var device: OMIDDevice
  /// Properties from a video's document; nil for other ads.
  package var vast: OMIDVastProperties?
  package var adServingID: String?
  /// Place in a pod, from 1; `adCount` is the number of ads in the pod.
  package var podSequence: Int?
  package var adCount: Int

  package init(
    kind: Kind, seed: UInt32, identity: String, device: OMIDDevice, vast: OMIDVastProperties? = nil,
    adServingID: String? = nil, podSequence: Int? = nil, adCount: Int = 1
  ) {
    self.kind = kind
    self.seed = seed
    self.identity = identity
    self.device = device
    self.vast = vast
    self.adServingID = adServingID
    self.podSequence = podSequence
    self.adCount = adCount
  }

  /// Returns the identifier of the ad's session with this number, the same in every run.
  package func sessionID(_ session: Int) -> String {
    let digits = Array(SHA256.of("omid \(seed) \(identity) \(session)").hex)
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    return "\(part(0..<8))-\(part(8..<12))-4\(part(13..<16))-a\(part(17..<20))-\(part(20..<32))"
  }

  /// Creative type that the app declares if it reports the ad's events.
  var creativeType: String {
    switch kind {
    case .page: "htmlDisplay"
    case .film: "video"
    case .card: "nativeDisplay"
    }
  }

  /// Returns the `context` of `sessionStart`, without the access rights, which differ by listener.
  func context(client: OMIDClient?, isJavaScripts: Bool) -> [String: JSONValue] {
    var info: [String: JSONValue] = [
      "omidImplementer": .string(Self.partner.lowercased()), "serviceVersion": .string(Self.serviceVersion),
      "partnerName": .string(client?.partner ?? Self.partner),
      "partnerVersion": .string(client?.partnerVersion ?? Galley.version),
    ]
    info["sessionClientVersion"] = client.map { .string($0.version) }
    var context: [String: JSONValue] = [
      "apiVersion": "1.0", "environment": "app", "adSessionType": .string(kind == .page ? "html" : "native"),
      "sessionOwner": isJavaScripts ? "javascript" : "native", "supports": ["clid", "vlid"],
      "omidNativeInfo": ["partnerName": .string(Self.partner), "partnerVersion": .string(Galley.version)],
      "omidJsInfo": .object(info), "app": ["libraryVersion": .string(Self.serviceVersion), "appId": "galley"],
      "deviceInfo": device.json, "deviceCategory": .string(device.category), "adCount": .number(Double(adCount)),
      "canMeasureVisibility": true,
    ]
    context["adServingId"] = adServingID.map { .string($0) }
    context["podSequence"] = podSequence.map { .number(Double($0)) }
    return context
  }
}

/// Device as the app's SDK describes it.
package struct OMIDDevice: Hashable, Sendable {
  /// The manufacturer's name of the model.
  package var type: String
  package var system: String
  package var systemVersion: String
  /// `mobile`, `desktop` or `other`.
  package var category: String

  package init(type: String, system: String, systemVersion: String, category: String) {
    self.type = type
    self.system = system
    self.systemVersion = systemVersion
    self.category = category
  }

  /// Creates the device with the system and version in a web view's user agent.
  package init(name: String, userAgent: String, isTouch: Bool) {
    let (system, version): (String, String)
    if let found = userAgent.firstMatch(of: /\b(?:iPhone|CPU) OS (\d+(?:_\d+)*)/) {
      (system, version) = ("iOS", String(found.1.replacing("_", with: ".")))
    } else if let found = userAgent.firstMatch(of: /Android (\d+(?:\.\d+)*)/) {
      (system, version) = ("Android", String(found.1))
    } else if let found = userAgent.firstMatch(of: /Mac OS X (\d+(?:[._]\d+)*)/) {
      (system, version) = ("macOS", String(found.1.replacing("_", with: ".")))
    } else {
      (system, version) = (userAgent.contains("Windows") ? "Windows" : "Linux", "0")
    }
    self.init(type: name, system: system, systemVersion: version, category: isTouch ? "mobile" : "desktop")
  }

  var json: JSONValue {
    ["deviceType": .string(type), "os": .string(system), "osVersion": .string(systemVersion)]
  }
}

/// Session client of the ad's page.
package struct OMIDClient: Hashable, Sendable {
  package var version: String
  package var partner: String
  package var partnerVersion: String

  package init(version: String, partner: String, partnerVersion: String) {
    self.version = version
    self.partner = partner
    self.partnerVersion = partnerVersion
  }
}
