package import Core
internal import Creatives
internal import Device
package import RenderModel
package import Workers

/// First scenario for a creative, which taps an element of the ad.
package struct StarterScenario {
  /// Maximum number of other targets named in the file.
  private static let mostOthers = 12

  /// Result of the search for a scenario.
  package enum Answer: Hashable, Sendable {
    /// Text of the scenario, and the selector that it taps.
    case text(String, taps: String)
    /// Creative has no element that can be tapped.
    case nothing
    /// Creative couldn't be rendered, with the reason.
    case failed(String)
  }

  private let settings: PoolSettings

  package init(settings: PoolSettings) { self.settings = settings }

  /// Renders the creative to find elements to tap, then once more to test the scenario.
  package func make(for creative: CreativeReference) async throws(Fault) -> Answer {
    let scratch = try ScratchFolder.make()
    let (record, seen) = await render(creative, [.observe("now")], in: scratch + "/look")
    guard let record, record.outcome == .completed else { return .failed(record?.message ?? "it was interrupted") }
    let targets = (seen?.targets ?? []).filter { $0.reach == .tappable && !$0.closes && $0.container == nil }
    guard let target = targets.first(where: { $0.selector != nil }), let selector = target.selector else {
      return .nothing
    }
    let steps: [Scenario.Action] = [.tap(.selector(selector)), .screenshot("tapped")]
    let played = await render(creative, steps + [.observe("now")], in: scratch + "/play")
    guard played.record?.outcome == .completed else { return .failed(played.record?.message ?? "it was interrupted") }
    let others = targets.filter { $0.selector != nil && $0.selector != selector }
    return .text(
      Self.text(creative, steps, others: others, closes: played.seen?.close != nil), taps: selector)
  }

  /// Renders with a scenario of these actions, and returns the record and the last observation.
  private func render(
    _ creative: CreativeReference, _ actions: [Scenario.Action], in output: String
  ) async -> (record: RenderRecord?, seen: PageSnapshot?) {
    guard let device = DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName) else { return (nil, nil) }
    let template = JobTemplate(
      device: device, limits: Limits(), options: RenderOptions(network: NetworkPolicy(.any, allowed: []), seed: 1),
      infersDevice: true)
    let steps = actions.enumerated().map { Scenario.Step(line: $0.offset + 1, action: $0.element) }
    var job = template.job(0, creative, output: output, scenario: Scenario(source: "starter", steps: steps))
    job.options.explores = true
    let (records, _) = await PoolRun(settings: settings).render([job])
    return (records[job.id], ResultFolder(output).readObservations().last)
  }

  static func text(
    _ creative: CreativeReference, _ actions: [Scenario.Action], others: [TapTarget], closes: Bool
  ) -> String {
    let steps = actions.enumerated().map { Scenario.Step(line: $0.offset + 1, action: $0.element) }
    let played = ScenarioWriter.text(
      of: Scenario(source: OwnScenario.fileName, steps: steps),
      comment: [
        "The steps for \(AbsolutePath.split(creative.argument).name) in every render and check.",
        "Create steps interactively with galley play; docs/reference/scenario.md describes all steps.",
      ])
    var ideas = others.prefix(mostOthers).compactMap { target in
      target.selector.flatMap { Scenario.Action.tap(.selector($0)).text }
    }
    if closes { ideas.insert("close", at: 0) }
    guard !ideas.isEmpty else { return played }
    return played + "\n# Other possible steps:\n" + ideas.map { "# - \($0)\n" }.joined()
  }
}
