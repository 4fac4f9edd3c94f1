internal import Checks
internal import Core
internal import MRAID
internal import RenderModel

/// Pictures of a creative as a page shows them, with equal ones merged.
struct PictureStrip {
  struct Entry {
    /// Anchor of the picture in the page.
    let id: String
    /// Screenshots with equal pictures, in their order.
    var shots: [RenderRecord.Screenshot]
    /// Picture of the screen; nil if the file can't be read.
    let screen: ReportScreenshot?
    let alone: ReportScreenshot?
  }

  private(set) var entries: [Entry] = []
  /// Index of the entry that shows each screenshot of the record.
  private var shown: [Int] = []

  init(_ creative: CreativeReport, id: String, page: ReportPage) {
    for (index, shot) in creative.record.screenshots.enumerated() {
      let screen = page.album.picture(shot.path, for: .filmstrip, in: creative, of: page.source)
      let alone = page.album.picture(shot.pathOfAd, for: .filmstrip, in: creative, of: page.source)
      let same = entries.firstIndex {
        screen != nil && $0.screen?.digest == screen?.digest && $0.alone?.digest == alone?.digest
      }
      if let same {
        entries[same].shots.append(shot)
      } else {
        entries.append(Entry(id: "\(id)-p\(index + 1)", shots: [shot], screen: screen, alone: alone))
      }
      shown.append(same ?? entries.count - 1)
    }
    let full = creative.record.thumbnail.flatMap { $0.contentShare == nil ? nil : $0.name }
    best =
      entries.first { $0.shots.contains { $0.name == full } }
      ?? entries.first { ($0.alone ?? $0.screen)?.isUniform == false } ?? entries.first
  }

  /// Returns the anchor of the picture for the record's screenshot of an index.
  func id(_ index: Int) -> String? { shown.indices.contains(index) ? entries[shown[index]].id : nil }

  /// Picture that represents the creative.
  ///
  /// It is the record's choice, or else the first picture with more than one colour.
  private(set) var best: Entry?
}

/// Pictures in their order, each with its state and time, followed by one for each explored state.
struct Filmstrip {
  let creative: CreativeReport
  let strip: PictureStrip
  let map: StateMap?
  let id: String
  let page: ReportPage

  var node: Node {
    guard !strip.entries.isEmpty else { return .empty }
    return element("section", ["class": "filmstrip", "aria-label": "Screenshots of \(creative.name)"]) {
      element("h3") { "Screenshots" }
      element("div", ["class": "scrolls", "tabindex": "0", "role": "group", "aria-label": "Screenshots in order"]) {
        for entry in strip.entries { figure(entry) }
        // The first is where the render itself stood.
        for state in map?.states.dropFirst() ?? [] {
          if let file = state.screenshot {
            explored(file, "\(state.number) \(state.name)", id: "\(id)-s\(state.number)")
          }
        }
      }
    }
  }

  private func figure(_ entry: PictureStrip.Entry) -> Node {
    let first = entry.shots[0]
    return element("figure") {
      picture(entry.screen, alone: entry.alone, named: first.name, id: entry.id)
      element("figcaption") {
        element("b") { first.name }
        element("span") { "\(first.state.rawValue) · \(Clock.text(first.t))" }
        for same in entry.shots.dropFirst() {
          element("span", ["class": "same"]) { "identical: \(same.name) · \(Clock.text(same.t))" }
        }
      }
    }
  }

  private func explored(_ file: String, _ name: String, id: String) -> Node {
    element("figure") {
      picture(
        page.album.picture(file, for: .filmstrip, in: creative, of: page.source), alone: nil, named: name, id: id)
      element("figcaption") {
        element("b") { name }
        element("span") { "explored" }
      }
    }
  }

  @NodeBuilder private func picture(
    _ screen: ReportScreenshot?, alone: ReportScreenshot?, named name: String, id: String
  ) -> Node {
    if let screen {
      element("button", ["type": "button", "class": "shot"]) {
        screen.node(alt: "\(creative.name), \(name)", id: id, kind: "screen")
        if let alone { alone.node(alt: "\(creative.name), \(name), only the ad", kind: "alone", isHidden: true) }
      }
    } else {
      element("p", ["class": "missing", "id": id]) { "The screenshot can't be read." }
    }
  }
}

extension ReportScreenshot {
  /// Returns the picture as an image that is decoded when it comes into view.
  func node(alt: String, id: String? = nil, kind: String, isHidden: Bool = false) -> Node {
    element(
      "img",
      [
        "id": id, "class": kind, "src": address, "width": "\(width)", "height": "\(height)", "alt": alt,
        "loading": "lazy", "decoding": "async", "hidden": isHidden ? "hidden" : nil,
      ])
  }
}
