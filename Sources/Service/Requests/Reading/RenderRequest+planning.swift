internal import Checks
package import Jobs
internal import MRAID
internal import Planning
internal import Stage

extension RenderRequest {
  /// The job that comes of it, which reaches no further than `reach`; wrong names are the caller's fault.
  ///
  /// `own` is the scenario that the creative brings along, which plays where the request has none.
  package func job(
    path: String?, own: Scenario? = nil, output: String, reach: NetworkReach
  ) throws(Problem) -> RenderJob {
    var names = NameReader()
    let device = device(&names)
    let container = profile(&names)
    _ = names.take("profiles") { () throws(Fault) in try ProfileCatalogue.standard.named(profiles) }
    let played =
      scenario.flatMap { text in
        names.take("scenario") { () throws(Fault) in try ScenarioParser.parse(text, source: "scenario") }
      } ?? own
    let side = side(&names)
    let wish = wish(&names)
    guard names.problems.isEmpty, let device else { throw .invalid(names.problems) }
    let shown = container.flatMap { $0.differences.isEmpty ? nil : $0 }
    var job = RenderJob(
      id: 0, creative: CreativeReference(argument: url ?? name, path: path, name: name), output: output, device: device,
      orientation: side, placement: wish.placement(scenario: played?.placement), scenario: played, container: shown,
      limits: Limits(timeout: timeout, memory: memory), options: options(network ? reach : .none))
    job.show(in: shown)
    return job
  }

  private func device(_ names: inout NameReader) -> Device? {
    if let screen { return names.take("screen") { () throws(Fault) in try Device.plain(screen: screen) } }
    switch device ?? .name(DeviceCatalogue.defaultName) {
    case .name(let name):
      return names.take("device") { () throws(Fault) in try DeviceCatalogue.standard.required(name) }
    case .value(let device): return device
    }
  }

  private func profile(_ names: inout NameReader) -> ContainerProfile? {
    switch container {
    case nil: nil
    case .name(let name):
      names.take("container") { () throws(Fault) in try ContainerCatalogue.standard.required(name) }
    case .value(let profile): profile
    }
  }

  private func side(_ names: inout NameReader) -> AppOrientation? {
    guard let orientation else { return nil }
    let known = AppOrientation.allCases.map(\.rawValue).joined(separator: ", ")
    return names.take("orientation", AppOrientation(rawValue: orientation), else: "must be one of \(known)")
  }

  private func wish(_ names: inout NameReader) -> PlacementWish {
    let slot = size.flatMap { text in
      names.take("size", Size(slot: text), else: "must be like 320x50, each side from 1 to 10000")
    }
    let wish = PlacementWish(kind: placement, size: slot, position: position)
    if wish.contradictsItself {
      names.fail("size", "and position go with a banner; an interstitial fills the screen")
    }
    return wish
  }

  private func options(_ reach: NetworkReach) -> RenderOptions {
    let captures = Captures(instants: at, filmstrip: filmstrip)
    return RenderOptions(
      followsClickthroughs: followClickthroughs ?? false, network: reach, watch: watch,
      clock: clock ?? (captures.isEmpty && date == nil ? .real : .virtual), date: date,
      measures: checks || measure == true, compositing: compositing ?? .automatic, captures: captures, seed: seed,
      sendsBeacons: sendBeacons ?? false)
  }
}
