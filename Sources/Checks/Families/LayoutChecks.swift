internal import Core
internal import MRAID
internal import RenderModel

/// Faults that screenshots show, and the fit of the page in its slot.
enum LayoutChecks {
  static let all: [Check] = [blankRender, overflow, clippedText, smallText, missingBorder, wrongSizeMeta]

  static let overflow = Check(
    "overflow", family: .layout, severity: .warning, title: "Content overflows its slot",
    why: "The page is larger than its slot, so part of the ad is hidden and the user can scroll it.",
    remedy: "Lay out the page for the slot's size, and set overflow: hidden on html and body.", source: .googleHTML5,
    needs: .read
  ) { context in
    guard let documents = context.documents else { return nil }
    return documents.filter { $0.document.overflow.scrolls && $0.document.overflow.largest > 1 }.map { read in
      let over = read.document.overflow
      let said = [(over.x, "to the right"), (over.y, "below")].filter { $0.0 > 1 }
        .map { "\($0.0.rounded().plain) dip \($0.1)" }.joined(separator: " and ")
      let state = read.page.state.rawValue
      var issue = CheckIssue("in state \(state) the page exceeds its \(read.page.size) by \(said)", subject: state)
      issue.screenshot = read.page.screenshot
      return issue
    }
  }

  static let clippedText = Check(
    "clipped-text", family: .layout, severity: .warning, title: "Clipped text",
    why: "The edge of the ad or of a box cuts off a line of text, which looks like a mistake.",
    remedy: "Give the text more room, or shorten it; check the fonts that were loaded.", source: .googleHTML5,
    needs: .read
  ) { context in
    context.issues(on: \.document.clipped) { element, read in
      "in the \(read.page.size) the text \"\(element.text)\" of \(element.selector) is clipped"
    }
  }

  /// Minimum size of text in dip; 1.3 mm at 160 dots per inch.
  private static let legible = 8.0

  static let smallText = Check(
    "small-text", family: .layout, severity: .warning, title: "Text too small to read",
    why: "Text below 8 dip is hardly readable on a phone, where the smallest system text is 11.",
    remedy: "Enlarge the text at the slot's size, or leave it out.", source: .letterSizes, needs: .read
  ) { context in
    guard let documents = context.documents else { return nil }
    var known: Set<String> = []
    return documents.flatMap { read in
      read.document.textSizes.filter { $0.size < legible && known.insert($0.element.selector).inserted }.map {
        letters in
        var issue = CheckIssue(
          "\"\(letters.element.text)\" has a size of \(letters.size) dip", subject: letters.element.selector,
          measure: Finding.Measure(value: letters.size, limit: legible, unit: "dip"))
        issue.screenshot = read.page.screenshot
        return issue
      }
    }
  }

  static let missingBorder = Check(
    "missing-border", family: .layout, severity: .note, title: "White or black edge without a border",
    why: "A white or black edge blends into the page around the ad; Google requires a border of one pixel.",
    remedy: "Draw a 1 px border in a colour that contrasts with the ad's background.", source: .googleRichMedia,
    needs: .rendered.union([.picture])
  ) { context in
    guard context.record.placement?.kind == .banner, let page = context.measurements?.pages.first,
      page.state == .default, let surface = page.surface, !surface.isBlank
    else { return nil }
    let edges = [("white", surface.whiteEdge), ("black", surface.blackEdge)]
    guard !surface.hasBorder, let edge = edges.first(where: { $0.1 > 0.5 }) else { return [] }
    var issue = CheckIssue("\(Unit.percent.text(edge.1 * 100)) of the ad's edge is \(edge.0) and there is no border")
    issue.screenshot = page.screenshot
    return [issue]
  }

  static let blankRender = Check(
    "blank-render", family: .layout, severity: .error, title: "Blank render",
    why: "The ad shows a single colour: the user sees an empty box, and the advertiser pays for it.",
    remedy: "Look at the first screenshot; make sure that the ad shows something without external data.",
    source: .googleHTML5, needs: .rendered.union([.picture])
  ) { context in
    guard let measurements = context.measurements else { return nil }
    let pictured = measurements.pages.filter { $0.surface != nil }
    guard !pictured.isEmpty else { return nil }
    return pictured.filter { $0.surface?.isBlank == true && !($0.isFirst && measurements.motion?.isBlank == false) }.map
    {
      var issue = CheckIssue("in state \($0.state.rawValue) the ad shows only one colour", subject: $0.state.rawValue)
      issue.screenshot = $0.screenshot
      return issue
    }
  }

  static let wrongSizeMeta = Check(
    "wrong-size-meta", family: .layout, severity: .warning, title: "ad.size differs from the ad's size",
    why: "Servers give the ad a slot of the size in ad.size; an ad of another size is cut off or leaves a gap.",
    remedy: "Set the ad's own width and height in ad.size: width=300,height=250.", source: .adSize,
    needs: .read.union([.code])
  ) { context in
    guard let tag = SizeTag(context.inventory),
      let read = context.documents?.first(where: { $0.page.state == .default })
    else { return nil }
    guard let said = tag.size else {
      return [CheckIssue("ad.size is \"\(tag.content)\", not width=…,height=…", place: tag.place)]
    }
    var issue = CheckIssue("", place: tag.place)
    issue.screenshot = read.page.screenshot
    let shown = Size(width: read.page.width, height: read.page.height)
    if let drawn = read.document.drawn?.rounded, !drawn.isLike(said),
      drawn.isLike(said.turned) || drawn.isFormat(beyond: said)
    {
      issue.message = "ad.size is \(said), but the ad draws \(drawn)"
    } else if context.record.placement?.kind == .banner, !shown.isLike(said) {
      issue.message = "ad.size is \(said), but the ad is shown in \(shown)"
      // The slot that the caller chose may be what is wrong.
      issue.severity = .note
    } else {
      return []
    }
    return [issue]
  }
}

extension PageAudit {
  /// Size as `320x50`.
  fileprivate var size: String { "\(width.rounded(.towardZero).plain)x\(height.rounded(.towardZero).plain)" }
}

extension DocumentAudit.Overflow {
  fileprivate var largest: Double { max(x, y) }
}

extension PageAudit {
  /// Indicates if it is the state that was watched for motion.
  fileprivate var isFirst: Bool { state == .default }
}

/// Content of the document's `ad.size` meta tag.
struct SizeTag {
  let content: String
  /// Declared size; nil if the content can't be parsed.
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
  /// Parses `width=320,height=50`, in any order; nil for any other text.
  fileprivate init?(adSize text: String) {
    func side(_ match: Regex<(Substring, Substring)>.Match?) -> Double? {
      match.flatMap { Double($0.1) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
    }
    guard let width = side(text.firstMatch(of: /width\s*=\s*["']?(\d{1,5}(?:\.\d{1,3})?)/.ignoresCase())),
      let height = side(text.firstMatch(of: /height\s*=\s*["']?(\d{1,5}(?:\.\d{1,3})?)/.ignoresCase()))
    else { return nil }
    self.init(width: width, height: height)
  }

  /// Indicates if both sizes are equal within 2 dip, the width of a border.
  fileprivate func isLike(_ other: Size) -> Bool {
    abs(width - other.width) <= 2 && abs(height - other.height) <= 2
  }

  /// Indicates if it is a sold ad format larger than the declared size, unlike an image or logo within it.
  fileprivate func isFormat(beyond said: Size) -> Bool {
    guard width > said.width + 2 || height > said.height + 2 else { return false }
    return Self.formats.contains { isLike(Size(width: $0.0, height: $0.1)) }
  }

  /// Fixed sizes of the IAB, of the New Ad Portfolio and earlier.
  private static let formats: [(Double, Double)] = [
    (88, 31), (120, 20), (120, 60), (120, 240), (120, 600), (125, 125), (160, 600), (168, 28), (180, 150), (200, 200),
    (216, 36), (234, 60), (240, 400), (250, 250), (300, 50), (300, 100), (300, 250), (300, 600), (300, 1050), (320, 50),
    (320, 100), (320, 480), (336, 280), (468, 60), (480, 320), (640, 1136), (728, 90), (750, 1334), (768, 1024),
    (970, 66), (970, 90), (970, 250), (1024, 768), (1080, 1920),
  ]
}

extension Rect {
  /// Size in whole dip.
  fileprivate var rounded: Size { Size(width: width.rounded(), height: height.rounded()) }
}
