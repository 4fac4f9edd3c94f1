/// Source of a rule or a number.
package struct Citation: Hashable, Sendable, Codable {
  /// Name of the document, as `IAB New Ad Portfolio`.
  package var title: String
  package var url: String
  /// Date given by the source, with its precision: `2017`, `2018-04`, `2025-03-11`.
  package var date: String?

  /// Indicates if a browser can open it; Galley's own documents only have names.
  package var isOnTheWeb: Bool { ["https://", "http://"].contains(where: url.hasPrefix) }

  package init(title: String, url: String, date: String? = nil) {
    self.title = title
    self.url = url
    self.date = date
  }
}

extension Citation {
  static let mraid2 = Citation(
    title: "MRAID 2.0", url: "https://www.iab.com/wp-content/uploads/2015/08/IAB_MRAID_v2_FINAL.pdf", date: "2013-04")
  static let mraid3 = Citation(
    title: "MRAID 3.0", url: "https://www.iab.com/wp-content/uploads/2017/07/MRAID_3.0_FINAL.pdf", date: "2018-06")
  static let cm360 = Citation(
    title: "Campaign Manager 360: preparing HTML5 assets",
    url: "https://support.google.com/campaignmanager/answer/3145300", date: "2026-11-21")
  static let dv360 = Citation(
    title: "Display & Video 360: creative guidelines", url: "https://support.google.com/displayvideo/answer/10260435",
    date: "2026-11-21")
  static let ironSource = Citation(
    title: "ironSource: MRAID specifications",
    url: "https://developers.is.com/ironsource-mobile/general/mraid-specifications-guidelines/", date: "2026-11-21")
  static let unity = Citation(
    title: "Unity Ads: playable specifications",
    url: "https://docs.unity.com/en-us/user-acquisition/creatives/specifications/playable", date: "2026-11-21")
  static let googleAds = Citation(
    title: "Google Ads HTML5 validation", url: "https://support.google.com/webdesigner/answer/7375764",
    date: "2026-11-21")
  static let iab = Citation(
    title: "IAB New Ad Portfolio", url: "https://www.iab.com/newadportfolio/", date: "2017")
}

extension Citation {
  static let heavyAd = Citation(
    title: "Heavy ad intervention", url: "https://chromestatus.com/feature/4800491902992384", date: "2026-11-21")
  static let vast = Citation(
    title: "IAB Tech Lab: VAST 4.3", url: "https://iabtechlab.com/standards/vast/", date: "2026-11-22")
  static let vastSchemas = Citation(
    title: "IAB Tech Lab: schemas of VAST", url: "https://github.com/InteractiveAdvertisingBureau/vast",
    date: "2026-06-17")
  static let openMeasurement = Citation(
    title: "IAB Tech Lab: Open Measurement", url: "https://iabtechlab.com/standards/open-measurement-sdk/",
    date: "2026-11-25")
  static let simid = Citation(
    title: "IAB Tech Lab: SIMID 1.2",
    url: "https://github.com/InteractiveAdvertisingBureau/SIMID/blob/master/SIMID%201.2.md", date: "2026-07")
  static let html = Citation(title: "HTML Standard", url: "https://html.spec.whatwg.org/multipage/", date: "2026-11-21")
  static let mixedContent = Citation(
    title: "Mixed Content", url: "https://www.w3.org/TR/mixed-content/", date: "2023-02-23")
  static let auctionMacros = Citation(
    title: "OpenRTB 2.6, 4.4: substitution macros",
    url: "https://github.com/InteractiveAdvertisingBureau/openrtb2.x/blob/main/2.6.md#44---substitution-macros-",
    date: "2022-04")
  static let transportSecurity = Citation(
    title: "Apple: App Transport Security",
    url:
      "https://developer.apple.com/documentation/bundleresources/information-property-list/nsapptransportsecurity",
    date: "2026-11-22")
  static let adSize = Citation(
    title: "Google Web Designer: the ad.size meta tag", url: "https://support.google.com/richmedia/answer/6279525",
    date: "2026-11-22")
  static let privateNetwork = Citation(
    title: "Private Network Access", url: "https://wicg.github.io/private-network-access/", date: "2026-11-21")
  static let googleHTML5 = Citation(
    title: "Google Ads: technical requirements", url: "https://support.google.com/adspolicy/answer/6088505",
    date: "2026-11-21")
  static let googleMisconduct = Citation(
    title: "Google Ads: abusing the ad network", url: "https://support.google.com/adspolicy/answer/6020954",
    date: "2026-11-21")
  /// Creative's own scenario, in the form that `docs/reference/scenario.md` describes.
  static let galley = Citation(title: "Galley: playing a scenario", url: "urn:galley:readme:playing-a-scenario")
  static let galleyNetwork = Citation(
    title: "Galley: a slow network, and one that breaks", url: "urn:galley:network-that-breaks")
  static let tcf = Citation(
    title: "IAB Europe: Transparency and Consent Framework 2.2",
    url: "https://github.com/InteractiveAdvertisingBureau/GDPR-Transparency-and-Consent-Framework", date: "2023-05")
  static let galleyPolicy = Citation(title: "Galley: the policy", url: "urn:galley:readme:policy")
}

extension Citation {
  static let playableSDK = Citation(
    title: "playable-sdk",
    url: "https://github.com/smoudjs/playable-sdk/blob/44cc2b2ee83ed4ba3a138682434ff626b51bc42d/src/core.ts",
    date: "2025-10-02")
  static let playableScripts = Citation(
    title: "playable-scripts",
    url: "https://github.com/smoudjs/playable-scripts/tree/6510318deeb546b188292a925fe0779c7b7155b6/core/plugins",
    date: "2026-08-14")
  static let playturbo = Citation(
    title: "Playturbo: playable upload specifications",
    url:
      "https://doc.playturbo.com/other-tutorials/documentation-for-project-deployment/playable-upload-specifications-for-networks",
    date: "2026-11-29")
  static let tikTokPangle = Citation(
    title: "TikTok: how to create Pangle playable ads",
    url: "https://ads.tiktok.com/help/article/how-to-create-tiktok-pangle-playable-ads", date: "2026-04")
  static let appLovin = Citation(
    title: "Axon by AppLovin: best practices and guidelines",
    url: "https://support.axon.ai/en/growth/promoting-your-apps/creatives/best-practices-and-guidelines",
    date: "2026-11-29")
  static let ironSourceInteractive = Citation(
    title: "ironSource: interactive ad requirements",
    url: "https://developers.is.com/ironsource-mobile/general/interactive-requirements/", date: "2026-11-29")
}

extension Citation {
  static let googleRichMedia = Citation(
    title: "Google rich media: ad requirements", url: "https://support.google.com/richmedia/answer/165130",
    date: "2026-11-21")
  static let amazon = Citation(
    title: "Amazon Ads: creative acceptance policies",
    url: "https://advertising.amazon.com/resources/ad-policy/creative-acceptance", date: "2026-11-21")
  static let letterSizes = Citation(
    title: "Apple Human Interface Guidelines: typography",
    url: "https://developer.apple.com/design/human-interface-guidelines/typography", date: "2026-11-21")

  /// Returns a success criterion of WCAG 2.2, by its number and its name in the address.
  static func wcag(_ number: String, _ name: String) -> Citation {
    Citation(title: "WCAG 2.2, \(number)", url: "https://www.w3.org/TR/WCAG22/#\(name)", date: "2024-12-12")
  }
}
