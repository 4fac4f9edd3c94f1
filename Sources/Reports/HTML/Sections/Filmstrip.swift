internal import Checks
internal import Jobs
internal import MRAID

/// The pictures in their order, each with its state and time.
struct Filmstrip {
  let creative: CreativeReport
  let id: String
  let page: ReportPage

  var node: Node {
    let shots = creative.record.screenshots
    guard !shots.isEmpty else { return .empty }
    return element("section", ["class": "filmstrip", "aria-label": "Pictures"]) {
      element("h3") { "States" }
      element("div", ["class": "scrolls", "tabindex": "0"]) {
        for (index, shot) in shots.enumerated() { figure(shot, number: index + 1) }
      }
    }
  }

  private func figure(_ shot: RenderRecord.Screenshot, number: Int) -> Node {
    element("figure") {
      if let picture = page.album.picture(shot.path, for: .filmstrip, in: creative, of: page.source) {
        element(
          "img",
          [
            "id": "\(id)-p\(number)", "src": picture.address, "width": "\(picture.width)", "height": "\(picture.height)",
            "alt": "\(creative.name), \(shot.name)", "loading": "lazy",
          ])
      } else {
        element("p", ["class": "missing", "id": "\(id)-p\(number)"]) { "The picture can't be read." }
      }
      element("figcaption") {
        element("b") { shot.name }
        element("span") { "\(shot.state.rawValue) · \(Clock.text(shot.t))" }
      }
    }
  }
}

/// Moments of a render, for readers.
enum Clock {
  /// `1.24 s`
  static func text(_ milliseconds: Double) -> String {
    let hundredths = Int(clamping: (milliseconds / 10).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
  }
}
