internal import Checks
internal import Jobs
internal import MRAID

/// The pictures in their order, each with its state and time; then one of each state that exploring found.
struct Filmstrip {
  let creative: CreativeReport
  let map: StateMap?
  let id: String
  let page: ReportPage

  var node: Node {
    let shots = creative.record.screenshots
    guard !shots.isEmpty else { return .empty }
    return element("section", ["class": "filmstrip", "aria-label": "Pictures"]) {
      element("h3") { "States" }
      element("div", ["class": "scrolls", "tabindex": "0"]) {
        for (index, shot) in shots.enumerated() {
          figure(
            shot.path, named: shot.name, told: "\(shot.state.rawValue) · \(Clock.text(shot.t))",
            id: "\(id)-p\(index + 1)")
        }
        // The first is where the render itself stood.
        for state in map?.states.dropFirst() ?? [] {
          if let file = state.picture {
            figure(file, named: "\(state.number) \(state.name)", told: "explored", id: "\(id)-s\(state.number)")
          }
        }
      }
    }
  }

  private func figure(_ file: String, named name: String, told: String, id: String) -> Node {
    element("figure") {
      if let picture = page.album.picture(file, for: .filmstrip, in: creative, of: page.source) {
        element(
          "img",
          [
            "id": id, "src": picture.address, "width": "\(picture.width)", "height": "\(picture.height)",
            "alt": "\(creative.name), \(name)", "loading": "lazy",
          ])
      } else {
        element("p", ["class": "missing", "id": id]) { "The picture can't be read." }
      }
      element("figcaption") {
        element("b") { name }
        element("span") { told }
      }
    }
  }
}
