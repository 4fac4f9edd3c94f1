/// Where a click leads: SDKs show web pages in the app's own browser and hand everything else to the system.
enum ClickDestination: Hashable, Sendable {
  /// The clickthrough browser.
  case browser
  /// The telephone, messages, a store or whatever else the system has for it.
  case otherApp

  /// What the browser itself can show; an address without a scheme is relative to the creative's page.
  private static let schemes: Set<String?> = [nil, "http", "https", "about", "data", "creative"]

  /// Stores whose web addresses the system opens in the store's own app.
  private static let stores: Set<String> = [
    "apps.apple.com", "itunes.apple.com", "play.google.com", "market.android.com",
  ]

  /// Judges by scheme and host alone.
  init(_ address: String) {
    let leaves =
      !Self.schemes.contains(Self.scheme(of: address)) || Self.host(of: address).map(Self.stores.contains) == true
    self = leaves ? .otherApp : .browser
  }

  /// In lower case; nil for a relative address, whatever colons it has.
  private static func scheme(of address: String) -> String? {
    guard let colon = address.firstIndex(of: ":"), address.first?.isLetter == true else { return nil }
    let scheme = address[..<colon]
    let isLegal = scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isLegal ? scheme.lowercased() : nil
  }

  /// The host without user and port, in lower case; nil where the address has none.
  private static func host(of address: String) -> String? {
    let rest = scheme(of: address).map { address.dropFirst($0.count + 1) } ?? address[...]
    guard rest.hasPrefix("//") else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    let afterUser = authority.drop { $0 != "@" }.dropFirst()
    return (afterUser.isEmpty ? authority : afterUser).prefix { $0 != ":" }.lowercased()
  }
}
