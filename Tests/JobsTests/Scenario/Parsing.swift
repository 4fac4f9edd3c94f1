import Jobs
import Testing

/// The steps of a scenario text, without their lines.
func actions(_ text: String) throws -> [Scenario.Action] {
  try ScenarioParser.parse(text, source: "scenario.yaml").steps.map(\.action)
}

/// The one action of a one-step scenario.
func action(_ text: String) throws -> Scenario.Action {
  let all = try actions(text)
  try #require(all.count == 1)
  return all[0]
}

/// The message a scenario text is refused with; checks blame and code on the way.
func refusal(_ text: String, source: String = "scenario.yaml") throws -> String {
  let fault = try #require(throws: Fault.self) { try ScenarioParser.parse(text, source: source) }
  #expect(fault.blame == .request)
  #expect(fault.code == "scenario-invalid")
  return fault.message
}
