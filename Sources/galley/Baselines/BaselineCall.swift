internal import Baselines
internal import Comparison
internal import Jobs
internal import Planning
internal import Workers

/// What `record` and `verify` have in common: from options to outcomes.
struct BaselineCall {
  let subject: BaselineSubjectOptions
  let baselines: BaselineOptions
  let device: DeviceOptions
  let placement: PlacementOptions
  let container: ContainerOptions
  let comparison: ComparisonArguments
  let rendering: RenderingOptions
  let output: OutputOptions

  /// Renders and judges; nil when a signal ended it.
  func run(isAcross: Bool) async throws(Fault) -> [BaselineOutcome]? {
    let profile = try container.resolved()
    let planner = BatchPlanner(
      out: subject.out, device: try device.resolved(), orientation: device.orientation, placement: placement,
      scenario: try subject.scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() },
      container: profile, limits: rendering.limits.limits, options: rendering.options())
    let executable = try Executables.worker()
    // Before anything else runs: it changes the environment for a moment.
    let machine = MachineFingerprint()
    let plan = try planner.plan(subject.creatives, recursive: subject.recursive, spool: StandardInputSpool.fill)
    let asked = BaselinePlace.asked(
      orientation: device.orientation, placement: placement, container: profile, variant: subject.variant)
    let run = BaselineRun(
      plan: plan, places: try places(plan, asked: asked), machine: machine,
      settings: PoolSettings(executable: executable, capacity: rendering.limits.jobs),
      comparer: ResultComparer(options: comparison.options, budget: comparison.budget), renders: subject.renders,
      isAcross: isAcross, output: output)
    return try await run.run()
  }

  /// Two creatives of one key would each be compared with the other's baseline.
  private func places(_ plan: BatchPlan, asked: [String]) throws(Fault) -> [Int: BaselinePlace] {
    var places: [Int: BaselinePlace] = [:]
    var owners: [BaselinePlace: String] = [:]
    for job in plan.jobs {
      let place = try BaselinePlace(job, folder: baselines.baselines, asked: asked)
      if let owner = owners.updateValue(job.creative.argument, forKey: place) {
        throw .request(
          "baseline-twice", "\(owner) and \(job.creative.argument) have the same baseline, \(place.key.text)")
      }
      places[job.id] = place
    }
    return places
  }
}
