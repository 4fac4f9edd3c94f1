internal import Core

/// Time axis of a render with a lane for each kind of event; the script adds pictures, ruler and brush.
struct TimelineDrawing {
  /// Maximum number of marks on a lane; more would be slow to draw and indistinguishable.
  private static let most = 1_500
  /// Height of a row in units of the drawing.
  private static let row = 10

  let timeline: Timeline
  let strip: PictureStrip

  var node: Node {
    element("div", ["class": "axis", "data-end": NumberText.tenths(timeline.end), "data-moments": moments]) {
      element("div", ["class": "lanes"]) { for lane in timeline.lanes { self.lane(lane) } }
      element("p", ["class": "ends"]) {
        element("span") { Clock.text(0) }
        element("span") { Clock.text(timeline.end) }
      }
    }
  }

  /// Times, each with the anchor of the picture that the screen showed from then on.
  private var moments: String {
    timeline.moments.compactMap { moment in
      strip.id(moment.index).map { "\(NumberText.tenths(moment.t)) \($0)" }
    }.joined(separator: ";")
  }

  private func lane(_ lane: Timeline.Lane) -> Node {
    let hasLabels = [.steps, .states, .modals].contains(lane.kind)
    let count = lane.spans.count
    return element("div", ["class": "lane of-\(lane.kind.rawValue)"]) {
      element("span", ["class": "title"]) { lane.kind.title }
      element("div", ["class": hasLabels ? "track labelled" : "track"]) {
        element(
          "svg",
          [
            "viewBox": "0 0 \(NumberText.tenths(timeline.end)) \(lane.rows * Self.row)", "preserveAspectRatio": "none",
            "role": "img", "aria-label": "\(lane.kind.title): \(count)", "height": "\(lane.rows * height(lane))",
          ]
        ) {
          for span in lane.spans.prefix(Self.most) { mark(span) }
        }
      }
    }
  }

  /// Returns the height of a row in pixels.
  private func height(_ lane: Timeline.Lane) -> Int {
    switch lane.kind {
    case .requests: lane.rows > 4 ? 7 : 12
    case .processor: 26
    default: 20
    }
  }

  private func mark(_ span: Timeline.Span) -> Node {
    let kind = span.isBad ? " bad" : ""
    let label = "\(Clock.text(span.start)) \(span.label)"
    let top = span.row * Self.row
    guard span.end > span.start else {
      let x = NumberText.tenths(span.start)
      return element(
        "line", ["class": "instant\(kind)", "x1": x, "x2": x, "y1": "\(top + 1)", "y2": "\(top + Self.row - 1)"]
      ) {
        element("title") { label }
      }
    }
    // What takes a processor stands on the lane's ground, as high as it takes much.
    let high = span.level.map { max(0.5, $0 * Double(Self.row)) } ?? Double(Self.row - 2)
    let y = span.level.map { _ in Double(Self.row) - high } ?? Double(top + 1)
    return element(
      "rect",
      [
        "class": "span\(kind)", "x": NumberText.tenths(span.start), "y": NumberText.tenths(y),
        "width": NumberText.tenths(span.end - span.start), "height": NumberText.tenths(high), "data-label": span.label,
      ]
    ) {
      element("title") { "\(label), until \(Clock.text(span.end))" }
    }
  }
}
