/// Whether an address that an ad hands to the host can be used at all.
enum AdLink {
  /// Schemes that are code or nothing, never a place to go.
  private static let unusable: Set<String> = ["javascript", "about", "data", "blob", "mraid"]

  /// Why `open` can't go there, or nil when it can: the app needs an absolute URL.
  static func destinationProblem(_ address: String) -> String? {
    let trimmed = trim(address)
    if let problem = textProblem(trimmed) { return problem }
    guard let scheme = scheme(of: trimmed) else { return "\(quoted(trimmed)) is no absolute URL" }
    guard !unusable.contains(scheme) else { return "\(scheme): URLs can't be opened" }
    let rest = trimmed.dropFirst(scheme.count + 1)
    guard !rest.isEmpty else { return "\(quoted(trimmed)) names nothing to open" }
    guard scheme == "http" || scheme == "https" else { return nil }
    let host = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    return rest.hasPrefix("//") && !host.isEmpty ? nil : "\(quoted(trimmed)) names no host"
  }

  /// Why a picture, a video or a second part can't be loaded from there; relative addresses are fine.
  static func resourceProblem(_ address: String) -> String? {
    let trimmed = trim(address)
    if let problem = textProblem(trimmed) { return problem }
    guard let scheme = scheme(of: trimmed), scheme == "javascript" || scheme == "about" || scheme == "mraid" else {
      return nil
    }
    return "\(scheme): URLs can't be loaded"
  }

  /// The scheme in lower case, or nil for a relative address.
  static func scheme(of address: String) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let scheme = address[..<colon].lowercased()
    guard let first = scheme.first, first.isASCII, first.isLetter else { return nil }
    let isLegal = scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isLegal ? scheme : nil
  }

  /// The address without white space around it, as browsers read it.
  static func trim(_ address: String) -> String {
    let start = address.drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }

  private static func textProblem(_ trimmed: String) -> String? {
    if trimmed.isEmpty { return "a URL is required" }
    let isControlled = trimmed.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    return isControlled ? "the URL has control characters" : nil
  }

  private static func quoted(_ address: String) -> String { "\"\(address.prefix(100))\"" }
}
