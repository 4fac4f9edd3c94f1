internal import Jobs
internal import MRAID

extension Check {
  static let wrongSizeMeta = Check(
    "wrong-size-meta", family: .layout, severity: .warning, title: "ad.size isn't the ad's size",
    why: "Servers put the ad into a slot of the size that ad.size says: another one is cut off or leaves a gap.",
    remedy: "Write the ad's own width and height into it: width=300,height=250.", source: .adSize
  ) { evidence in
    guard let tag = evidence.sizeTag, let read = evidence.documents?.first(where: { $0.page.state == .default }) else {
      return nil
    }
    guard let said = tag.size else {
      return [Remark("ad.size says \"\(tag.content)\", which isn't width=…,height=…", place: tag.place)]
    }
    var remark = Remark("", place: tag.place)
    remark.screenshot = read.page.picture
    let shown = Size(width: read.page.width, height: read.page.height)
    if let drawn = read.document.drawn?.rounded, !drawn.isLike(said),
      drawn.isLike(said.turned) || drawn.isFormat(beyond: said)
    {
      remark.message = "ad.size says \(said), and the ad draws \(drawn)"
    } else if evidence.record.placement?.kind == .banner, !shown.isLike(said) {
      remark.message = "ad.size says \(said), and the ad is shown in \(shown)"
      // The slot that the caller chose may be what is wrong.
      remark.severity = .note
    } else {
      return []
    }
    return [remark]
  }
}

extension Evidence {
  /// The document's `ad.size`, and the size it says if that can be read.
  fileprivate var sizeTag: (content: String, size: Size?, place: Finding.Place)? {
    guard let inventory, let source = inventory.sources.first(where: { $0.path == inventory.entry }),
      let name = source.text.firstRange(of: "ad.size"), let start = source.text[..<name.lowerBound].lastIndex(of: "<"),
      let end = source.text[name.upperBound...].firstIndex(of: ">")
    else { return nil }
    let tag = source.text[start..<end]
    guard tag.count < 500, tag.prefix(5).lowercased() == "<meta",
      let content = tag.firstMatch(of: /content\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/.ignoresCase())
    else { return nil }
    let text = String(content.1 ?? content.2 ?? content.3 ?? "")
    return (text, Size(adSize: text), source.place(of: start))
  }
}

extension Size {
  /// What `width=320,height=50` says, in any order; nil for anything else.
  fileprivate init?(adSize text: String) {
    func side(_ match: Regex<(Substring, Substring)>.Match?) -> Double? {
      match.flatMap { Double($0.1) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
    }
    guard let width = side(text.firstMatch(of: /width\s*=\s*["']?(\d{1,5}(?:\.\d{1,3})?)/.ignoresCase())),
      let height = side(text.firstMatch(of: /height\s*=\s*["']?(\d{1,5}(?:\.\d{1,3})?)/.ignoresCase()))
    else { return nil }
    self.init(width: width, height: height)
  }

  /// Whether they are the same but for a border's width.
  fileprivate func isLike(_ other: Size) -> Bool {
    abs(width - other.width) <= 2 && abs(height - other.height) <= 2
  }

  /// Whether ads are sold in this size, and it is no part of the other, as a picture or logo may be.
  fileprivate func isFormat(beyond said: Size) -> Bool {
    guard width > said.width + 2 || height > said.height + 2 else { return false }
    return Self.formats.contains { isLike(Size(width: $0.0, height: $0.1)) }
  }

  /// IAB's fixed sizes, of the New Ad Portfolio and before it.
  private static let formats: [(Double, Double)] = [
    (88, 31), (120, 20), (120, 60), (120, 240), (120, 600), (125, 125), (160, 600), (168, 28), (180, 150), (200, 200),
    (216, 36), (234, 60), (240, 400), (250, 250), (300, 50), (300, 100), (300, 250), (300, 600), (300, 1050), (320, 50),
    (320, 100), (320, 480), (336, 280), (468, 60), (480, 320), (640, 1136), (728, 90), (750, 1334), (768, 1024),
    (970, 66), (970, 90), (970, 250), (1024, 768), (1080, 1920),
  ]
}

extension Rect {
  /// Its size in whole dip.
  fileprivate var rounded: Size { Size(width: width.rounded(), height: height.rounded()) }
}
