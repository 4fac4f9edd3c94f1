internal import Checks
internal import Jobs

/// The state graph, its ways in words, and what exploring found odd.
struct StateSection {
  let creative: CreativeReport
  let map: StateMap?
  let page: ReportPage
  let id: String

  var node: Node {
    let graph = GraphModel.of(creative, map)
    guard graph.states.count > 1 else { return .empty }
    return element("section", ["class": "states", "aria-label": "State graph"]) {
      element("h3") { title(graph) }
      element("div", ["class": "scrolls", "tabindex": "0"]) {
        GraphDrawing(graph, creative: creative, page: page, id: id).node
      }
      ways(graph)
      oddities
    }
  }

  private func title(_ graph: GraphModel) -> String {
    let coverage = map?.coverage?.percent.map { ", coverage \($0) %" } ?? ""
    return "State graph: \(graph.states.count) states\(coverage)"
  }

  private func ways(_ graph: GraphModel) -> Node {
    let names = Dictionary(graph.states.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    return Badge.folded("\(graph.links.reduce(0) { $0 + $1.actions.count }) ways between them", kind: "more") {
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

  @NodeBuilder private var oddities: Node {
    if let odd = map?.oddities, !odd.isEmpty {
      Badge.folded("\(odd.count) odd", kind: "more") {
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
