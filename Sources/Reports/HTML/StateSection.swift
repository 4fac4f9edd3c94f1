internal import Checks

/// Section with the state graph, its transitions as text, and the anomalies of the exploration.
struct StateSection {
  let creative: CreativeReport
  let map: StateMap?
  let page: ReportPage
  let id: String

  var node: Node {
    let graph = GraphModel.of(creative, map)
    guard graph.states.count > 1 else { return .empty }
    return element("section", ["class": "states", "aria-label": "States of \(creative.name)"]) {
      element("h3") { title(graph) }
      element("div", ["class": "scrolls", "tabindex": "0", "role": "group", "aria-label": "State graph"]) {
        GraphDrawing(graph, creative: creative, page: page, id: id).node
      }
      ways(graph)
      anomalies
    }
  }

  private func title(_ graph: GraphModel) -> String {
    let coverage = map?.coverage?.percent.map { ", coverage \($0) %" } ?? ""
    return "State graph: \(graph.states.count) states\(coverage)"
  }

  private func ways(_ graph: GraphModel) -> Node {
    let names = Dictionary(graph.states.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    return Badge.folded("\(graph.links.reduce(0) { $0 + $1.actions.count }) transitions", kind: "more") {
      element("ul") {
        for link in graph.links {
          for action in link.actions {
            element("li") {
              let end = link.to.map { "\($0) \(names[$0] ?? "")" } ?? "failed"
              "\(link.from) \(names[link.from] ?? "") → \(end): "
              element("code") { action }
            }
          }
        }
      }
    }
  }

  @NodeBuilder private var anomalies: Node {
    if let odd = map?.anomalies, !odd.isEmpty {
      Badge.folded("\(odd.count) \(odd.count == 1 ? "anomaly" : "anomalies")", kind: "more") {
        element("ul") {
          for item in odd {
            element("li") {
              element("code") { item.code }
              " \(item.message)\(item.count > 1 ? " (\(item.count) times)" : "")"
            }
          }
        }
      }
    }
  }
}

/// State graph as SVG.
struct GraphDrawing {
  let graph: GraphModel
  let layout: GraphLayout
  let creative: CreativeReport
  let page: ReportPage
  /// Prefix that makes the arrowhead's id unique among the page's graphs.
  let id: String

  init(_ graph: GraphModel, creative: CreativeReport, page: ReportPage, id: String) {
    self.graph = graph
    self.creative = creative
    self.page = page
    self.id = id
    layout = GraphLayout(graph)
  }

  var node: Node {
    let (width, height) = layout.size
    return element(
      "svg",
      [
        "class": "graph", "viewBox": "0 0 \(width) \(height)", "width": "\(width)", "height": "\(height)",
        "role": "img", "aria-label": "State graph",
      ]
    ) {
      element("defs") { arrowhead }
      for link in graph.links { way(link) }
      for box in layout.boxes { state(box) }
      for link in graph.links { label(link) }
    }
  }

  private var arrowhead: Node {
    element(
      "marker",
      [
        "id": "arrow-\(id)", "viewBox": "0 0 8 8", "refX": "7", "refY": "4", "markerWidth": "7", "markerHeight": "7",
        "orient": "auto",
      ]
    ) {
      element("path", ["d": "M0 0 L8 4 L0 8 z", "class": "head"])
    }
  }

  private func ends(_ link: GraphModel.Link) -> GraphPath? {
    guard let to = link.to, let start = layout.box(link.from), let end = layout.box(to) else { return nil }
    return GraphPath(from: start, to: end)
  }

  private func way(_ link: GraphModel.Link) -> Node {
    guard let path = ends(link) else { return .empty }
    return element("path", ["class": "way", "d": path.line, "marker-end": "url(#arrow-\(id))"])
  }

  private func label(_ link: GraphModel.Link) -> Node {
    guard let path = ends(link) else { return .empty }
    let more = link.actions.count > 1 ? " +\(link.actions.count - 1)" : ""
    return element("text", ["class": "label", "x": "\(path.label.x)", "y": "\(path.label.y)"]) {
      element("title") { link.actions.joined(separator: "\n") }
      ReportText.cut(ReportText.line(link.actions[0]), to: 20) + more
    }
  }

  private func state(_ box: GraphLayout.Box) -> Node {
    element("g", ["class": "state"]) {
      element("title") { "\(box.state.number) \(box.state.name)" }
      element(
        "rect",
        [
          "x": "\(box.x)", "y": "\(box.y)", "width": "\(GraphLayout.width)", "height": "\(GraphLayout.height)",
          "rx": "8",
        ])
      if let file = box.state.picture,
        let picture = page.album.picture(file, for: .graph, in: creative, of: page.source)
      {
        element(
          "image",
          [
            "href": picture.address, "x": "\(box.x + 6)", "y": "\(box.y + 6)", "width": "\(GraphLayout.width - 12)",
            "height": "\(GraphLayout.height - 32)",
          ])
      }
      element("text", ["x": "\(box.x + GraphLayout.width / 2)", "y": "\(box.y + GraphLayout.height - 9)"]) {
        ReportText.cut("\(box.state.number) \(ReportText.line(box.state.name))", to: 15)
      }
    }
  }
}
