/// The MRAID methods that a creative's own files name, and so could call.
package struct MRAIDUsage: Hashable, Sendable {
  /// Every method of MRAID 1 to 3.
  package static let methods: Set<String> = [
    "addEventListener", "removeEventListener", "close", "expand", "getExpandProperties", "setExpandProperties",
    "getPlacementType", "getState", "getVersion", "isViewable", "open", "useCustomClose", "createCalendarEvent",
    "getCurrentPosition", "getDefaultPosition", "getMaxSize", "getScreenSize", "getResizeProperties",
    "setResizeProperties", "resize", "getOrientationProperties", "setOrientationProperties", "playVideo",
    "storePicture", "supports", "unload", "getLocation", "getCurrentAppOrientation", "initVpaid",
  ]
  /// Names of other objects that have methods of the same names in pages.
  private static let others: Set<String> = [
    "window", "self", "top", "parent", "document", "indexedDB", "caches", "CSS", "history", "dialog", "socket", "db",
  ]
  /// Methods that elements and windows have too; they count only if the owner is known to be MRAID's object.
  private static let shared: Set<String> = ["addEventListener", "removeEventListener", "close", "open"]

  package private(set) var named: Set<String> = []

  package init() {}

  /// Reads one file; counts `owner.method` and `owner["method"]` if the owner may be MRAID's object.
  ///
  /// An owner that is `mraid`, or whose name was given `mraid` (`var bridge = window.mraid`), counts for every method;
  /// any other one only for methods that nothing else has. A text without `mraid` names nothing.
  package mutating func read(_ text: String) {
    guard text.contains("mraid") else { return }
    let owners = Self.aliases(in: text)
    for match in text.matches(of: /([A-Za-z_$][\w$]*)\s*(?:\?\.|\.|\[\s*["'])\s*([A-Za-z]+)/) {
      let (owner, method) = (String(match.1), String(match.2))
      guard Self.methods.contains(method), !Self.others.contains(owner) else { continue }
      if owners.contains(owner) || !Self.shared.contains(method) { named.insert(method) }
    }
  }

  /// Returns the names of further documents and scripts that a file mentions in quotes, in their order.
  package static func references(in text: String) -> [String] {
    text.matches(of: /["']([\w.\/-]{1,200}\.(?:m?js|html?))["'?#]/).map { String($0.1) }
  }

  /// Returns the names that stand for MRAID's object in a text.
  private static func aliases(in text: String) -> Set<String> {
    var names: Set<String> = ["mraid"]
    for match in text.matches(of: /([A-Za-z_$][\w$]*)\s*=\s*(?:window\s*\.\s*)?mraid\b(?!\s*[.\[(])/) {
      names.insert(String(match.1))
    }
    return names
  }
}
