internal import Core
internal import MRAID
package import RenderModel

extension CreativeBundle {
  /// Returns the reason why a creative without a stated size is one for the whole screen, as the rest of a sentence;
  /// nil for none.
  package func fullScreenReason(_ reference: CreativeReference) -> String? {
    guard let entry, response == nil, url == nil else { return nil }
    if !meta.orientations.isEmpty { return "ad.orientation sets the orientation" }
    let words = SizeName.names(of: reference, inner: innerNames).flatMap { $0.lowercased().split { !$0.isLetter } }
    if let word = words.first(where: { FullScreenCode.words.contains(String($0)) }) {
      return "its name contains \(word)"
    }
    return FullScreenCode(entry) { (try? resource(path: $0))?.bytes }.reason
  }

  /// Indicates if its document names the container's script.
  package var namesMRAID: Bool {
    entry.map { FullScreenCode.text($0.bytes).contains("mraid") } ?? false
  }
}

/// Evidence in a creative's own code about the space that it takes.
struct FullScreenCode {
  /// Words in names of creatives that fill the screen.
  static let words: Set<String> = ["interstitial", "interstitials", "fullscreen", "playable", "playables"]
  /// Maximum number of bytes that are read of a file, and of scripts beside the document.
  private static let (longest, mostScripts) = (1 << 18, 4)

  private let text: String
  /// Call of a network for playables; nil for none.
  private let storeCall: String?

  init(_ entry: BundleResource, file: (String) -> [UInt8]?) {
    var scanner = HTMLScanner(TextEncoding.utf8(Array(entry.bytes.prefix(Self.longest))))
    var scripts: [String] = []
    var scan = PlayableScan()
    while scripts.count < Self.mostScripts, let token = scanner.next() {
      guard case .tag(let tag) = token, tag.name == "script", let address = tag.attributes["src"].map(HTMLText.decode),
        !address.contains(":"), !address.hasPrefix("//"), let bytes = file(address)
      else { continue }
      scripts.append(Self.text(bytes))
      scan.read(script: Array(scripts[scripts.count - 1].utf8))
    }
    let page = Self.text(entry.bytes)
    scan.read(page: Array(page.utf8))
    storeCall = scan.networks.first?.calls.first
    text = page + scripts.joined(separator: "\n")
  }

  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: TextEncoding.utf8(Array(bytes.prefix(longest))), as: UTF8.self)
  }

  var reason: String? {
    if let call = storeCall { return "it calls \(call), as playable ads do" }
    if text.contains("canvas"), fillsByStyle || fillsByScript { return "its canvas fills the window" }
    let grows = text.contains("mraid.expand") || text.contains("mraid.resize")
    if text.contains("mraid.setOrientationProperties"), !grows {
      return "it sets mraid.setOrientationProperties and never expands"
    }
    return nil
  }

  /// Indicates if a rule or the style of a canvas takes the whole width and height.
  private var fillsByStyle: Bool {
    var rest = text[...]
    while let found = rest.firstRange(of: "canvas") {
      rest = rest[found.upperBound...]
      let declarations = rest.prefix(400).prefix { $0 != "}" && $0 != ">" }.lowercased().filter { !$0.isWhitespace }
      let isRule = declarations.prefix(80).contains("{") || declarations.contains("style=")
      let isWide = ["width:100%", "width:100vw"].contains { declarations.contains($0) }
      let isHigh = ["height:100%", "height:100vh", "height:100dvh"].contains { declarations.contains($0) }
      if isRule, isWide, isHigh { return true }
    }
    return false
  }

  /// Indicates if a script sets a width and a height to the window's.
  private var fillsByScript: Bool { isSet(".width", to: "innerWidth") && isSet(".height", to: "innerHeight") }

  private func isSet(_ member: String, to source: String) -> Bool {
    var start = text.startIndex
    while let found = text[start...].firstRange(of: source) {
      let before = text[..<found.lowerBound].suffix(40).filter { !$0.isWhitespace }
      let plain = before.hasSuffix("window.") ? before.dropLast(7) : before[...]
      if plain.hasSuffix("\(member)=") { return true }
      start = found.upperBound
    }
    return false
  }
}
