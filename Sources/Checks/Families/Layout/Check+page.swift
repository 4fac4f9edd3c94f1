internal import Core
internal import Jobs
internal import MRAID

extension Check {
  /// How the ad's page sits in its place.
  static let pageChecks: [Check] = [overflow, clippedText, smallText, missingBorder, wrongSizeMeta]

  static let overflow = Check(
    "overflow", family: .layout, severity: .warning, title: "Can be scrolled in its slot",
    why: "The page is larger than its slot, so part of the ad is out of sight and a finger scrolls it about.",
    remedy: "Lay it out for the slot's size, and set overflow: hidden on html and body.", source: .googleHTML5
  ) { evidence in
    guard let documents = evidence.documents else { return nil }
    return documents.filter { $0.document.overflow.scrolls && $0.document.overflow.largest > 1 }.map { read in
      let over = read.document.overflow
      let said = [(over.x, "to the right"), (over.y, "below")].filter { $0.0 > 1 }
        .map { "\($0.0.rounded().plain) dip \($0.1)" }.joined(separator: " and ")
      let state = read.page.state.rawValue
      var remark = Remark("in state \(state) the page reaches \(said) beyond its \(read.page.size)", subject: state)
      remark.screenshot = read.page.picture
      return remark
    }
  }

  static let clippedText = Check(
    "clipped-text", family: .layout, severity: .warning, title: "Text is cut through",
    why: "A line of text is cut off by the edge of the ad or of a box, and reads as a mistake.",
    remedy: "Give the text more room, or less text; look at the fonts that were loaded.", source: .googleHTML5
  ) { evidence in
    evidence.remarks(on: \.document.clipped) { element, read in
      "in the \(read.page.size) the text \"\(element.text)\" of \(element.selector) is cut through"
    }
  }

  /// dip; at 160 to the inch 1.3 mm.
  private static let legible = 8.0

  static let smallText = Check(
    "small-text", family: .layout, severity: .warning, title: "Text too small to read",
    why: "On a phone, where the smallest text of the system is 11, hardly anybody reads less than 8 dip.",
    remedy: "Set it larger at the slot's size, or leave it out.", source: .letterSizes
  ) { evidence in
    guard let documents = evidence.documents else { return nil }
    var known: Set<String> = []
    return documents.flatMap { read in
      read.document.lettering.filter { $0.size < legible && known.insert($0.element.selector).inserted }.map {
        letters in
        var remark = Remark(
          "\"\(letters.element.text)\" is \(letters.size) dip large", subject: letters.element.selector,
          measure: Finding.Measure(value: letters.size, limit: legible, unit: "dip"))
        remark.screenshot = read.page.picture
        return remark
      }
    }
  }

  static let missingBorder = Check(
    "missing-border", family: .layout, severity: .note, title: "White or black edge without a border",
    why: "An ad whose edge is white or black runs into the page around it; Google wants a border of one pixel.",
    remedy: "Draw a 1 px border in a colour that contrasts with the ad's background.", source: .googleRichMedia
  ) { evidence in
    guard evidence.record.placement?.kind == .banner, let page = evidence.measurements?.pages.first,
      page.state == .default, let surface = page.surface, !surface.isBlank
    else { return nil }
    let edges = [("white", surface.whiteEdge), ("black", surface.blackEdge)]
    guard !surface.hasBorder, let edge = edges.first(where: { $0.1 > 0.5 }) else { return [] }
    var remark = Remark("\(Unit.percent.text(edge.1 * 100)) of its edge is \(edge.0) and there is no border")
    remark.screenshot = page.picture
    return [remark]
  }
}

extension PageAudit {
  /// `320x50`
  fileprivate var size: String { "\(width.rounded(.towardZero).plain)x\(height.rounded(.towardZero).plain)" }
}

extension DocumentAudit.Overflow {
  fileprivate var largest: Double { max(x, y) }
}
