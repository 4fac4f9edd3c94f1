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

  /// A success criterion of WCAG 2.2, by its number and its name in the address.
  static func wcag(_ number: String, _ name: String) -> Citation {
    Citation(title: "WCAG 2.2, \(number)", url: "https://www.w3.org/TR/WCAG22/#\(name)", date: "2024-12-12")
  }
}
