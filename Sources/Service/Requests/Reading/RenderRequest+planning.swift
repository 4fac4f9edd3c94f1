internal import Checks
package import Jobs
internal import MRAID
package import Planning
package import Stage

extension RenderRequest {
  /// The job that comes of it, which reaches no further than `reach`; wrong names are the caller's fault.
  package func job(path: String?, output: String, reach: NetworkReach) throws(Problem) -> RenderJob {
    var problems: [Problem.Field] = []
    func take<Value>(_ name: String, _ body: () throws(Fault) -> Value) -> Value? {
      do throws(Fault) {
        return try body()
      } catch {
        problems.append(Problem.Field(name, error))
        return nil
      }
    }
    let device =
      screen.map { screen in take("screen") { () throws(Fault) in try Device.plain(screen: screen) } }
      ?? take("device") { () throws(Fault) in
        try DeviceCatalogue.standard.required(self.device ?? DeviceCatalogue.defaultName)
      }
    let profile = container.flatMap { name in
      take("container") { () throws(Fault) in try ContainerCatalogue.standard.required(name) }
    }
    _ = take("profiles") { () throws(Fault) in try ProfileCatalogue.standard.named(profiles) }
    let played = scenario.flatMap { text in
      take("scenario") { () throws(Fault) in try ScenarioParser.parse(text, source: "scenario") }
    }
    let side = orientation.flatMap(AppOrientation.init)
    if orientation != nil, side == nil {
      problems.append(
        Problem.Field(
          "orientation", "must be one of \(AppOrientation.allCases.map(\.rawValue).joined(separator: ", "))"))
    }
    let slot = size.flatMap(Size.init(slot:))
    if size != nil, slot == nil {
      problems.append(Problem.Field("size", "must be like 320x50, each side from 1 to 10000"))
    }
    let wish = PlacementWish(kind: placement, size: slot, position: position)
    if wish.contradictsItself {
      problems.append(Problem.Field("size", "and position go with a banner; an interstitial fills the screen"))
    }
    guard problems.isEmpty, let device else { throw .invalid(problems) }
    let shown = profile.flatMap { $0.differences.isEmpty ? nil : $0 }
    var job = RenderJob(
      id: 0, creative: CreativeReference(argument: url ?? name, path: path, name: name), output: output, device: device,
      orientation: side, placement: wish.placement(scenario: played?.placement), scenario: played, container: shown,
      limits: Limits(timeout: timeout, memory: memory), options: options(network ? reach : .none))
    job.show(in: shown)
    return job
  }

  private func options(_ reach: NetworkReach) -> RenderOptions {
    let captures = Captures(instants: at)
    return RenderOptions(
      network: reach, watch: watch, clock: clock ?? (captures.isEmpty && date == nil ? .real : .virtual), date: date,
      measures: checks, captures: captures, seed: seed)
  }

  /// How far to explore; nil to play the scenario only.
  package var budget: (actions: Int, seconds: Double)? { explore.map { ($0.actions, $0.seconds) } }
}
