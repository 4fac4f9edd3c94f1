import Checks
import Foundation
import Testing

@testable import Reports

@Suite("The state graph")
struct StateGraphTests {
  private let map = """
    {"states": [{"number": 1, "name": "default"}, {"number": 2, "name": "expanded"}, {"number": 3, "name": "browser"}],
     "ways": [{"from": 1, "to": 2, "action": "tap #ad"}, {"from": 1, "to": 2, "action": "tap #more"},
              {"from": 1, "to": 1, "action": "tap #dead"}, {"from": 2, "to": 3, "action": "tap #buy"},
              {"from": 3, "to": 2, "action": "close"}, {"from": 2, "action": "rotate", "failure": "crashed"}],
     "oddities": [], "coverage": {"percent": 80}}
    """

  private func graph() throws -> GraphModel {
    GraphModel(try JSONDecoder().decode(StateMap.self, from: Data(map.utf8)))
  }

  @Test("ways between the same states are one, and those that stay aren't drawn")
  func links() throws {
    let links = try graph().links
    #expect(links.map(\.actions) == [["tap #ad", "tap #more"], ["tap #buy"], ["close"], ["rotate"]])
    #expect(links.map(\.to) == [2, 3, 2, nil])
  }

  @Test("a state stands in the column of the fewest ways it takes")
  func columns() throws {
    let layout = GraphLayout(try graph())
    #expect(layout.boxes.map(\.column) == [0, 1, 2])
    #expect(layout.boxes.map(\.row) == [0, 0, 0])
  }

  @Test("boxes never overlap, and all lie on the drawing")
  func apart() throws {
    var graph = try graph()
    graph.states += (4...9).map { GraphModel.State(number: $0, name: "s\($0)", picture: nil) }
    graph.links += (4...9).map { GraphModel.Link(from: 1, to: $0, actions: ["tap"]) }
    let layout = GraphLayout(graph)
    #expect(Set(layout.boxes.map { [$0.column, $0.row] }).count == 9)
    for box in layout.boxes {
      #expect(box.x + GraphLayout.width <= layout.size.width)
      #expect(box.y + GraphLayout.height <= layout.size.height)
    }
  }

  @Test("without an exploration the render's own states are drawn")
  func record() {
    let graph = GraphModel(Sample.creative("fine").record)
    #expect(graph.states.map(\.name) == ["default", "expanded"])
    #expect(graph.states.map(\.picture) == ["screenshots/001-default.png", "screenshots/002-expanded.png"])
    #expect(graph.links.map(\.actions) == [["expand"]])
  }
}
