internal import AdManager
package import AdResponses
internal import Core

/// Page of an interactive creative (SIMID 1.2) in a player, and the data that it gets at its start.
package struct InteractivePage: Sendable {
  private let address: CreativeAddress
  private let creativeData: JSONValue
  /// Address of the video in the document; nil above a programme.
  private let media: String?
  private let skipOffset: Double?
  private let overlay: VASTNonLinear?

  /// Seconds that an overlay stays if it doesn't state a duration.
  private static let stay = 15.0

  /// Creates the page of a creative above a video.
  package init(of ad: ResolvedAd, _ linear: VASTLinear, media: VASTMediaFile, at address: CreativeAddress) {
    self.address = address
    self.media = media.url
    skipOffset = linear.skipOffset?.seconds(of: linear.duration)
    overlay = nil
    creativeData = Self.creativeData(ad, parameters: linear.parameters, click: linear.clickThrough)
  }

  /// Creates the page of an overlay above a programme.
  package init(of ad: ResolvedAd, _ overlay: VASTNonLinear, at address: CreativeAddress) {
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

  /// Settings for the player's script.
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

  /// Owner of the Skip button: the player if the document states a time, else the creative, which may have one.
  ///
  /// An overlay can't be skipped.
  private var skippable: String {
    if overlay != nil { return "notSkippable" }
    return skipOffset == nil ? "adHandles" : "playerHandles"
  }

  /// Value of the frame's sandbox attribute.
  ///
  /// A page from the web keeps its origin, which differs from the player's. The creative's own files would share the
  /// player's origin, so they get none. A window that a creative opens by itself is logged and loads nothing.
  private var sandbox: String {
    let web = address.url.hasPrefix("http:") || address.url.hasPrefix("https:")
    return "allow-scripts allow-forms allow-popups" + (web ? " allow-same-origin" : "")
  }

  private func stay(of overlay: VASTNonLinear) -> Double {
    overlay.shortestStay.flatMap { $0 > 0 ? Bounded.number($0, in: 1...3_600) : nil } ?? Self.stay
  }

  private func side(_ side: Double?) -> Double { Bounded.number(side ?? 0, in: 0...10_000) }
}
