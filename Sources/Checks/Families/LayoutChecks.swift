internal import Core
internal import MRAID
internal import RenderModel

/// What the pictures show at once, and how the ad's page sits in its place.
enum LayoutChecks {
  static let all: [Check] = [blankRender, overflow, clippedText, smallText, missingBorder, wrongSizeMeta]

  static let overflow = Check(
    "overflow", family: .layout, severity: .warning, title: "Can be scrolled in its slot",
    why: "The page is larger than its slot, so part of the ad is out of sight and a finger scrolls it about.",
    remedy: "Lay it out for the slot's size, and set overflow: hidden on html and body.", source: .googleHTML5
  ) { context in
    guard let documents = context.documents else { return nil }
    return documents.filter { $0.document.overflow.scrolls && $0.document.overflow.largest > 1 }.map { read in
      let over = read.document.overflow
      let said = [(over.x, "to the right"), (over.y, "below")].filter { $0.0 > 1 }
        .map { "\($0.0.rounded().plain) dip \($0.1)" }.joined(separator: " and ")
      let state = read.page.state.rawValue
      var issue = CheckIssue("in state \(state) the page reaches \(said) beyond its \(read.page.size)", subject: state)
      issue.screenshot = read.page.screenshot
      return issue
    }
  }

  static let clippedText = Check(
    "clipped-text", family: .layout, severity: .warning, title: "Text is cut through",
    why: "A line of text is cut off by the edge of the ad or of a box, and reads as a mistake.",
    remedy: "Give the text more room, or less text; look at the fonts that were loaded.", source: .googleHTML5
  ) { context in
    context.issues(on: \.document.clipped) { element, read in
      "in the \(read.page.size) the text \"\(element.text)\" of \(element.selector) is cut through"
    }
  }

  /// dip; at 160 to the inch 1.3 mm.
  private static let legible = 8.0

  static let smallText = Check(
    "small-text", family: .layout, severity: .warning, title: "Text too small to read",
    why: "On a phone, where the smallest text of the system is 11, hardly anybody reads less than 8 dip.",
    remedy: "Set it larger at the slot's size, or leave it out.", source: .letterSizes
  ) { context in
    guard let documents = context.documents else { return nil }
    var known: Set<String> = []
    return documents.flatMap { read in
      read.document.textSizes.filter { $0.size < legible && known.insert($0.element.selector).inserted }.map {
        letters in
        var issue = CheckIssue(
          "\"\(letters.element.text)\" is \(letters.size) dip large", subject: letters.element.selector,
          measure: Finding.Measure(value: letters.size, limit: legible, unit: "dip"))
        issue.screenshot = read.page.screenshot
        return issue
      }
    }
  }

  static let missingBorder = Check(
    "missing-border", family: .layout, severity: .note, title: "White or black edge without a border",
    why: "An ad whose edge is white or black runs into the page around it; Google wants a border of one pixel.",
    remedy: "Draw a 1 px border in a colour that contrasts with the ad's background.", source: .googleRichMedia
  ) { context in
    guard context.record.placement?.kind == .banner, let page = context.measurements?.pages.first,
      page.state == .default, let surface = page.surface, !surface.isBlank
    else { return nil }
    let edges = [("white", surface.whiteEdge), ("black", surface.blackEdge)]
    guard !surface.hasBorder, let edge = edges.first(where: { $0.1 > 0.5 }) else { return [] }
    var issue = CheckIssue("\(Unit.percent.text(edge.1 * 100)) of its edge is \(edge.0) and there is no border")
    issue.screenshot = page.screenshot
    return [issue]
  }

  static let blankRender = Check(
    "blank-render", family: .layout, severity: .error, title: "Nothing to be seen",
    why: "The ad shows one colour and nothing else: a person sees an empty box, and somebody pays for it.",
    remedy: "Look at the first picture; see to it that something shows without data from elsewhere.",
    source: .googleHTML5
  ) { context in
    guard let measurements = context.measurements else { return nil }
    let pictured = measurements.pages.filter { $0.surface != nil }
    guard !pictured.isEmpty else { return nil }
    return pictured.filter { $0.surface?.isBlank == true && !($0.isFirst && measurements.motion?.isBlank == false) }.map
    {
      var issue = CheckIssue("in state \($0.state.rawValue) the ad shows one colour only", subject: $0.state.rawValue)
      issue.screenshot = $0.screenshot
      return issue
    }
  }

  static let wrongSizeMeta = Check(
    "wrong-size-meta", family: .layout, severity: .warning, title: "ad.size isn't the ad's size",
    why: "Servers put the ad into a slot of the size that ad.size says: another one is cut off or leaves a gap.",
    remedy: "Write the ad's own width and height into it: width=300,height=250.", source: .adSize
  ) { context in
    guard let tag = SizeTag(context.inventory),
      let read = context.documents?.first(where: { $0.page.state == .default })
    else { return nil }
    guard let said = tag.size else {
      return [CheckIssue("ad.size says \"\(tag.content)\", which isn't width=…,height=…", place: tag.place)]
    }
    var issue = CheckIssue("", place: tag.place)
    issue.screenshot = read.page.screenshot
    let shown = Size(width: read.page.width, height: read.page.height)
    if let drawn = read.document.drawn?.rounded, !drawn.isLike(said),
      drawn.isLike(said.turned) || drawn.isFormat(beyond: said)
    {
      issue.message = "ad.size says \(said), and the ad draws \(drawn)"
    } else if context.record.placement?.kind == .banner, !shown.isLike(said) {
      issue.message = "ad.size says \(said), and the ad is shown in \(shown)"
      // The slot that the caller chose may be what is wrong.
      issue.severity = .note
    } else {
      return []
    }
    return [issue]
  }
}

extension PageAudit {
  /// `320x50`
  fileprivate var size: String { "\(width.rounded(.towardZero).plain)x\(height.rounded(.towardZero).plain)" }
}

extension DocumentAudit.Overflow {
  fileprivate var largest: Double { max(x, y) }
}

extension PageAudit {
  /// Whether it is the state that was watched for motion.
  fileprivate var isFirst: Bool { state == .default }
}

/// The document's `ad.size`.
private struct SizeTag {
  let content: String
  /// Nil when it says none that can be read.
  let size: Size?
  let place: Finding.Place

  init?(_ inventory: Inventory?) {
    guard let inventory, let source = inventory.sources.first(where: { $0.path == inventory.entry }),
      let name = source.text.firstRange(of: "ad.size"), let start = source.text[..<name.lowerBound].lastIndex(of: "<"),
      let end = source.text[name.upperBound...].firstIndex(of: ">")
    else { return nil }
    let tag = source.text[start..<end]
    guard tag.count < 500, tag.prefix(5).lowercased() == "<meta",
      let content = tag.firstMatch(of: /content\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/.ignoresCase())
    else { return nil }
    self.content = String(content.1 ?? content.2 ?? content.3 ?? "")
    (size, place) = (Size(adSize: self.content), source.place(of: start))
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
