package import Core
internal import Creatives
internal import Device
package import RenderModel
package import Workers

/// A first scenario for a creative, of what can be tapped there.
package struct StarterScenario {
  /// Other targets that the file names.
  private static let mostOthers = 12

  /// What there is to begin with.
  package enum Answer: Hashable, Sendable {
    /// The scenario's file, and what it taps.
    case text(String, taps: String)
    /// Nothing in it can be tapped.
    case nothing
    /// It couldn't be rendered, for this reason.
    case failed(String)
  }

  private let settings: PoolSettings

  package init(settings: PoolSettings) { self.settings = settings }

  /// Renders the creative to see what can be tapped, then once more to see that the scenario holds.
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

  /// The record, and what was seen last.
  private func render(
    _ creative: CreativeReference, _ actions: [Scenario.Action], in output: String
  ) async -> (record: RenderRecord?, seen: PageSnapshot?) {
    guard let device = DeviceCatalogue.standard.device(named: DeviceCatalogue.defaultName) else { return (nil, nil) }
    let template = JobTemplate(
      device: device, limits: Limits(), options: RenderOptions(network: NetworkPolicy(.any, allowed: []), seed: 1))
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
        "What is done with \(AbsolutePath.split(creative.argument).name), step by step, in every render and check.",
        "galley play does it by hand; docs/reference/scenario.md has all steps.",
      ])
    var ideas = others.prefix(mostOthers).compactMap { target in
      target.selector.flatMap { Scenario.Action.tap(.selector($0)).text }
    }
    if closes { ideas.insert("close", at: 0) }
    guard !ideas.isEmpty else { return played }
    return played + "\n# What else could be done:\n" + ideas.map { "# - \($0)\n" }.joined()
  }
}
