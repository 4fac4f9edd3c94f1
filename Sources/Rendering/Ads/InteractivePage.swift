internal import AdManager
internal import AdResponses
internal import Core

/// The page of an interactive creative (SIMID 1.2) in a player, and what it is told at its beginning.
struct InteractivePage {
  private let address: CreativeAddress
  private let creativeData: JSONValue
  /// The film as the document has it; nil above a programme.
  private let media: String?
  private let skipOffset: Double?
  private let overlay: VASTNonLinear?

  /// Seconds that an overlay stays which doesn't say how long.
  private static let stay = 15.0

  /// Above a film.
  init(of ad: ResolvedAd, _ linear: VASTLinear, media: VASTMediaFile, at address: CreativeAddress) {
    self.address = address
    self.media = media.url
    skipOffset = linear.skipOffset?.seconds(of: linear.duration)
    overlay = nil
    creativeData = Self.creativeData(ad, parameters: linear.parameters, click: linear.clickThrough)
  }

  /// Above a programme.
  init(of ad: ResolvedAd, _ overlay: VASTNonLinear, at address: CreativeAddress) {
    self.address = address
    media = nil
    skipOffset = nil
    self.overlay = overlay
    creativeData = Self.creativeData(ad, parameters: overlay.parameters, click: overlay.clickThrough)
  }

  private static func creativeData(_ ad: ResolvedAd, parameters: String?, click: String?) -> JSONValue {
    var data: [String: JSONValue] = ["adParameters": .string(parameters ?? "")]
    data["clickThruUrl"] = click.map { .string($0) }
    data["adId"] = ad.creative?.adID.map { .string($0) }
    data["creativeId"] = ad.creative?.id.map { .string($0) }
    data["adServingId"] = ad.inLine.adServingID.map { .string($0) }
    return .object(data)
  }

  /// What the player's script needs of it.
  func settings(isInterstitial: Bool) -> JSONValue {
    var environment: [String: JSONValue] = [
      "fullscreenAllowed": .bool(!isInterstitial && overlay == nil), "variableDurationAllowed": true,
      "skippableState": .string(skippable), "version": "1.2",
      "useragent": .string("Galley/\(Galley.version)"), "navigationSupport": "playerHandles",
      "closeButtonSupport": "adHandles",
    ]
    environment["skipoffset"] = skipOffset.map { .string(VASTOffset.text($0)) }
    var members: [String: JSONValue] = [
      "url": .string(address.url), "sandbox": .string(sandbox), "skippable": .string(skippable),
      "creativeData": creativeData, "media": .string(media ?? ""),
    ]
    if let overlay {
      environment["nonlinearDuration"] = .number(stay(of: overlay))
      members["nonLinear"] = [
        "width": .number(side(overlay.width)), "height": .number(side(overlay.height)),
        "duration": .number(stay(of: overlay)),
      ]
    }
    members["environmentData"] = .object(environment)
    return .object(members)
  }

  /// Who has the Skip button: the player as soon as the document says when, else the creative, which may have one.
  private var skippable: String {
    if overlay != nil { return "notSkippable" }
    return skipOffset == nil ? "adHandles" : "playerHandles"
  }

  /// A page of the web has an origin of its own, which isn't the player's. The creative's own files share the player's,
  /// so they get none. A window that it opens by itself is heard of and goes nowhere.
  private var sandbox: String {
    let web = address.url.hasPrefix("http:") || address.url.hasPrefix("https:")
    return "allow-scripts allow-forms allow-popups" + (web ? " allow-same-origin" : "")
  }

  private func stay(of overlay: VASTNonLinear) -> Double {
    overlay.shortestStay.flatMap { $0 > 0 ? Bounded.number($0, in: 1...3_600) : nil } ?? Self.stay
  }

  private func side(_ side: Double?) -> Double { Bounded.number(side ?? 0, in: 0...10_000) }
}
