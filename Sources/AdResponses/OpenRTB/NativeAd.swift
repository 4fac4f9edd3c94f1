internal import Core

/// A native ad (OpenRTB Native 1.2 §5): parts that an app puts together in its own form.
package struct NativeAd: Hashable, Sendable {
  /// `1.2`, as the ad says.
  package var version: String?
  /// In the ad's order.
  package var assets: [Asset] = []
  /// Where a click leads that no asset has a link of its own for.
  package var link: Link?
  /// Asked when the ad shows.
  package var impressions: [String] = []
  /// Asked when it was seen as the industry counts seeing.
  package var viewableImpressions: [String] = []
  /// Scripts of measuring companies for nothing that is known, told of and never run.
  package var scripts: [String] = []
  /// Measuring code for Open Measurement.
  package var verifications: [VASTVerification] = []
  /// Where the person learns who shows the ad, and why.
  package var privacy: String?

  package init() {}

  /// One part.
  package struct Asset: Hashable, Sendable {
    package var id: Int?
    package var isRequired = false
    package var content: Content
    package var link: Link?
  }

  package enum Content: Hashable, Sendable {
    case title(String)
    case image(Image)
    /// A VAST document.
    case video(String)
    case data(kind: DataKind?, value: String, label: String?)
  }

  /// A picture; its size in dip where the ad says.
  package struct Image: Hashable, Sendable {
    package var url: String
    package var kind: ImageKind?
    package var width: Double?
    package var height: Double?
  }

  /// What a picture is for (§7.4).
  package enum ImageKind: Int, Hashable, Sendable {
    case icon = 1
    case logo = 2
    case main = 3
  }

  /// What a text is (§7.3).
  package enum DataKind: Int, Hashable, Sendable {
    case sponsored = 1
    case description, rating, likes, downloads, price, salePrice, phone, address, description2, displayURL, callToAction
  }

  package struct Link: Hashable, Sendable {
    package var url: String?
    package var clickTracking: [String] = []
    /// Where it leads when nothing on the device opens `url`.
    package var fallback: String?
  }

  /// The first title.
  package var title: String? {
    assets.lazy.compactMap { asset -> String? in if case .title(let text) = asset.content { text } else { nil } }.first
  }

  /// The texts of a kind.
  package func texts(_ kind: DataKind?) -> [String] {
    assets.compactMap { asset in
      guard case .data(kind, let value, _) = asset.content else { return nil }
      return value
    }
  }

  /// Its pictures.
  package var images: [Image] {
    assets.compactMap { if case .image(let image) = $0.content { image } else { nil } }
  }
}

/// Reads native ads; what it doesn't need it passes over, what it needs and can't read it names.
package enum NativeAdParser {
  /// The ad in a bid's markup, alone or in an object `native`; `path` is what errors begin with.
  package static func parse(_ bytes: [UInt8], path: String = "") throws(BidError) -> NativeAd {
    let whole = BidMember(try BidResponseParser.json(bytes), path: path)
    let root = whole["native"].value == nil ? whole : whole["native"]
    _ = try root.object()
    var ad = NativeAd()
    ad.version = try root["ver"].text()
    for member in try root["assets"].elements() {
      if let asset = try asset(member) { ad.assets.append(asset) }
    }
    guard !ad.assets.isEmpty else {
      throw BidError("native-invalid", "\(root.path.isEmpty ? "the native ad" : root.path) has no assets")
    }
    ad.link = try link(root["link"])
    ad.impressions = try root["imptrackers"].texts()
    if let script = try root["jstracker"].text() { ad.scripts.append(script) }
    for tracker in try root["eventtrackers"].elements() { try add(tracker, to: &ad) }
    ad.privacy = try root["privacy"].text()
    return ad
  }

  /// Whether a text is an object with what only native ads have, or would be one without a fault in it.
  package static func isNative(_ text: String) -> Bool {
    let start = text.drop(while: \.isWhitespace)
    guard start.first == "{" else { return false }
    guard let root = try? BidResponseParser.json(Array(text.utf8)) else { return text.contains("\"assets\"") }
    return root["native"]?["assets"] != nil || root["assets"] != nil
  }

  /// Nil for a part of a kind that isn't known, and for a picture without an address: it costs itself only.
  private static func asset(_ member: BidMember) throws(BidError) -> NativeAd.Asset? {
    guard let content = try content(member) else { return nil }
    return NativeAd.Asset(
      id: try member["id"].integer(), isRequired: try member["required"].integer() == 1, content: content,
      link: try link(member["link"]))
  }

  private static func content(_ member: BidMember) throws(BidError) -> NativeAd.Content? {
    if member["title"].value != nil { return .title(try member["title"]["text"].text() ?? "") }
    if member["img"].value != nil {
      let image = member["img"]
      // Nought means that the bidder didn't say.
      let (width, height) = (try image["w"].number(), try image["h"].number())
      guard let url = try image["url"].text() else { return nil }
      return .image(
        NativeAd.Image(
          url: url,
          kind: try image["type"].integer().flatMap(NativeAd.ImageKind.init(rawValue:)),
          width: width.flatMap { $0 > 0 ? $0 : nil }, height: height.flatMap { $0 > 0 ? $0 : nil }))
    }
    if member["video"].value != nil { return .video(try member["video"]["vasttag"].text() ?? "") }
    guard member["data"].value != nil else { return nil }
    let data = member["data"]
    return .data(
      kind: try data["type"].integer().flatMap(NativeAd.DataKind.init(rawValue:)),
      value: try data["value"].text() ?? "",
      label: try data["label"].text())
  }

  private static func link(_ member: BidMember) throws(BidError) -> NativeAd.Link? {
    guard member.value != nil else { return nil }
    return NativeAd.Link(
      url: try member["url"].text(), clickTracking: try member["clicktrackers"].texts(),
      fallback: try member["fallback"].text())
  }

  /// Events 1 to 4 are impressions, the last three of them seen; method 1 is a picture, 2 a script (§7.6, §7.7).
  private static func add(_ tracker: BidMember, to ad: inout NativeAd) throws(BidError) {
    guard let url = try tracker["url"].text() else { return }
    switch (try tracker["event"].integer(), try tracker["method"].integer()) {
    case (1?, 1?): ad.impressions.append(url)
    case (2?, 1?), (3?, 1?), (4?, 1?): ad.viewableImpressions.append(url)
    case (omidEvent, 2?): ad.verifications.append(try verification(url, tracker["ext"]))
    case (_, 2?): ad.scripts.append(url)
    default: break
    }
  }

  /// The event by which bidders name Open Measurement, of those that the standard leaves to exchanges.
  private static let omidEvent = 555

  /// Exchanges write the members of `ext` in either way.
  private static func verification(_ url: String, _ ext: BidMember) throws(BidError) -> VASTVerification {
    let vendors = [try ext["vendorKey"].text(), try ext["vendor_key"].text()]
    let parameters = [try ext["verification_parameters"].text(), try ext["verificationParameters"].text()]
    var verification = VASTVerification(
      vendor: vendors.compactMap(\.self).first, resources: [url], apiFramework: "omid",
      parameters: parameters.compactMap(\.self).first, notExecuted: [])
    verification.scripts = [VASTVerificationScript(url: url, apiFramework: "omid", isBrowserOptional: false)]
    verification.mayBeTracked = false
    return verification
  }
}
