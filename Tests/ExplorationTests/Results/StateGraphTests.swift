import Exploration
import Jobs
import Testing

@Suite("The state graph")
struct StateGraphTests {
  private let graph = StateGraph(FakeCreative.menu.exploration())

  @Test("reads as states with the ways out of them")
  func text() {
    #expect(
      graph.text.hasPrefix(
        """
        1 default
          tap #open → 2 expanded
          3 more without an effect
        2 expanded
          tap #sea → 3 expanded
          close → 1 default
          3 more without an effect

        """))
    #expect(graph.text.hasSuffix("4 browser\n  close → 3 expanded\n"))
  }

  @Test("is drawn without the ways that stay")
  func mermaid() {
    let lines = graph.mermaid.split(separator: "\n")
    #expect(lines.first == "flowchart TD")
    #expect(lines.contains("  s4[\"4 browser\"]"))
    #expect(lines.contains("  s1 -->|\"tap #35;open\"| s2"))
    #expect(!graph.mermaid.contains("dead"))
  }
}
