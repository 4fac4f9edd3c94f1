internal import Core

/// Native ad (OpenRTB Native 1.2 §5): parts that an app arranges in its own form.
package struct NativeAd: Hashable, Sendable {
  /// Version as the ad gives it, for example `1.2`.
  package var version: String?
  /// Assets in the ad's order.
  package var assets: [Asset] = []
  /// Link for clicks on assets that have no link of their own.
  package var link: Link?
  /// Addresses to request when the ad is shown.
  package var impressions: [String] = []
  /// Addresses to request when the ad was viewable by the industry's definition.
  package var viewableImpressions: [String] = []
  /// Other scripts of measurement companies, which are reported and never run.
  package var scripts: [String] = []
  /// Measurement code for Open Measurement.
  package var verifications: [VASTVerification] = []
  /// Address of the page that explains to the user the advertiser and the reasons for the ad.
  package var privacy: String?

  package init() {}

  /// One part of the ad.
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

  /// Image; its size in dip if the ad gives it.
  package struct Image: Hashable, Sendable {
    package var url: String
    package var kind: ImageKind?
    package var width: Double?
    package var height: Double?
  }

  /// Purpose of an image (§7.4).
  package enum ImageKind: Int, Hashable, Sendable {
    case icon = 1
    case logo = 2
    case main = 3
  }

  /// Meaning of a text (§7.3).
  package enum DataKind: Int, Hashable, Sendable {
    case sponsored = 1
    case description, rating, likes, downloads, price, salePrice, phone, address, description2, displayURL, callToAction
  }

  package struct Link: Hashable, Sendable {
    package var url: String?
    package var clickTracking: [String] = []
    /// Address to open if no app on the device opens `url`.
    package var fallback: String?
  }

  /// Text of the first title; nil if there is none.
  package var title: String? {
    assets.lazy.compactMap { asset -> String? in if case .title(let text) = asset.content { text } else { nil } }.first
  }

  /// Returns the texts of a kind.
  package func texts(_ kind: DataKind?) -> [String] {
    assets.compactMap { asset in
      guard case .data(kind, let value, _) = asset.content else { return nil }
      return value
    }
  }

  /// Images among the assets.
  package var images: [Image] {
    assets.compactMap { if case .image(let image) = $0.content { image } else { nil } }
  }
}

/// Reads native ads; ignores members it doesn't need, and reports needed members that it can't read.
package enum NativeAdParser {
  /// Parses the ad in a bid's markup, alone or in an object `native`; errors begin with `path`.
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

  /// Indicates that a text is a native ad, by members that only those have; faulty JSON counts if it contains `assets`.
  package static func isNative(_ text: String) -> Bool {
    let start = text.drop(while: \.isWhitespace)
    guard start.first == "{" else { return false }
    guard let root = try? BidResponseParser.json(Array(text.utf8)) else { return text.contains("\"assets\"") }
    return root["native"]?["assets"] != nil || root["assets"] != nil
  }

  /// Reads an asset; nil for an unknown kind and for an image without an address, so that the other assets remain.
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

  /// Adds a tracker: events 1 to 4 are impressions, the last three of them viewable.
  ///
  /// Method 1 is an image, 2 a script (§7.6, §7.7).
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

  /// Number that bidders use for Open Measurement, among those that the standard leaves to exchanges.
  private static let omidEvent = 555

  /// Reads a verification; exchanges write the members of `ext` in two spellings.
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
