import Exploration
import MRAID
import RenderModel
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

@Suite("Replays")
struct ReplayTests {
  private let found = FakeCreative.menu.exploration()

  @Test("there is one for each state, each other way and everything odd, under names of their own")
  func files() {
    let files = found.replays.map(\.file)
    #expect(files.prefix(4) == ["01-default.yaml", "02-expanded.yaml", "03-expanded.yaml", "04-browser.yaml"])
    #expect(files.contains { $0.hasSuffix("-expanded-tap-dead.yaml") })
    #expect(files.contains { $0.hasSuffix("-browser-close.yaml") })
    #expect(!files.contains { $0.contains("rotate") })
    #expect(Set(files).count == files.count)
  }

  @Test("say what holds at their end")
  func expectations() throws {
    let browser = try #require(found.replays.first { $0.file == "04-browser.yaml" })
    guard case .expect(let expectations)? = browser.scenario.steps.last?.action else {
      Issue.record("no expectation")
      return
    }
    #expect(expectations.contains(.state(.expanded)))
    #expect(expectations.contains(.event("modal/push", count: 2, detail: nil)))
  }

  @Test("can be read back as scenarios with the same steps")
  func roundTrip() throws {
    for replay in found.replays {
      let text = ScenarioWriter.text(of: replay.scenario, comment: [replay.title])
      let read = try ScenarioParser.parse(text, source: replay.file)
      #expect(read.steps.map(\.action) == replay.scenario.steps.map(\.action))
    }
  }
}
