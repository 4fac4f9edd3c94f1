internal import Core

/// What is known of an ad and of its app before the session begins.
package struct OMIDFacts: Hashable, Sendable {
  /// The version of the standard's clients that the service answers for.
  package static let serviceVersion = "1.6.0"
  /// Whom sessions are of.
  package static let partner = "Galley"

  /// What is measured.
  package enum Kind: Hashable, Sendable {
    /// The ad's own page, in which the measuring code is.
    case page
    case film
    /// A native ad, which the app puts together of its parts.
    case card
  }

  package var kind: Kind
  /// What chance begins with, and which of a render's ads it is: session ids are made of them.
  package var seed: UInt32
  package var identity: String
  package var device: OMIDDevice
  /// Of a film, what its document says.
  package var vast: OMIDVastProperties?
  package var adServingID: String?
  /// Its place in a pod, from 1, and how many ads that has.
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

  /// The id of the ad's session of this number, the same in every run.
  package func sessionID(_ session: Int) -> String {
    let digits = Array(SHA256.of("omid \(seed) \(identity) \(session)").hex)
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    return "\(part(0..<8))-\(part(8..<12))-4\(part(13..<16))-a\(part(17..<20))-\(part(20..<32))"
  }

  /// What the app says that the ad is, where it tells the ad's events.
  var creativeType: String {
    switch kind {
    case .page: "htmlDisplay"
    case .film: "video"
    case .card: "nativeDisplay"
    }
  }

  /// The `context` of `sessionStart`, but for what each listener may reach.
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

/// The device as the app's SDK names it.
package struct OMIDDevice: Hashable, Sendable {
  /// The maker's name of the model.
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

  /// What a web view's user agent says of the system it runs on.
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

/// A session client of the ad's page.
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
