/// A page's request for `mraid.js`: the bridge is there already, so what it gets does nothing.
package enum MRAIDScriptRequest {
  /// Served for every request, as often as the page asks.
  package static let body = "/* mraid is provided by the container since document start. */\n"

  /// Whether the URL's path ends in `mraid.js`, in any directory and case, whatever query or fragment follows.
  package static func matches(_ url: String) -> Bool {
    var rest = Substring(AdLink.trim(url))
    rest = rest.prefix { $0 != "#" && $0 != "?" }
    if let scheme = AdLink.scheme(of: String(rest)) {
      guard scheme != "data", scheme != "javascript", scheme != "blob" else { return false }
      rest = rest.dropFirst(scheme.count + 1)
    }
    if rest.hasPrefix("//") {
      guard let path = rest.dropFirst(2).firstIndex(of: "/") else { return false }
      rest = rest[path...]
    }
    let name = rest.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return name.lowercased() == "mraid.js"
  }
}
