internal import Conformance
internal import Jobs
internal import Stage
internal import Workers

/// Turns the suite's cases into jobs: each on the device it asks for, by its scenario, until its page has reported.
struct SuiteJobs {
  let suite: SuiteFolder
  /// The results' folder, absolute.
  let out: String
  let limits: Limits
  let options: RenderOptions
  /// Whether to picture the page's list of results.
  let takesPicture: Bool

  /// One job a case, whose id is the case's index.
  func jobs(_ cases: [ConformanceCase]) throws(Fault) -> [RenderJob] {
    var jobs: [RenderJob] = []
    for (index, subject) in cases.enumerated() {
      let folder = ResultFolder(out + "/" + subject.name)
      try folder.prepare()
      jobs.append(
        RenderJob(
          id: index, creative: suite.reference(subject.name), output: folder.path,
          device: try suite.device(of: subject),
          placement: subject.scenario?.placement ?? Placement(kind: .banner), scenario: scenario(of: subject),
          limits: limits, options: options))
    }
    return jobs
  }

  /// The case's own steps, then a wait for the page to say that it is through.
  private func scenario(of subject: ConformanceCase) -> Scenario {
    var steps = subject.scenario?.steps ?? []
    let line = (steps.last?.line ?? 0) + 1
    steps.append(Scenario.Step(line: line, action: .evaluate("await (window.suite && suite.finished)")))
    if takesPicture { steps.append(Scenario.Step(line: line, action: .screenshot("results"))) }
    return Scenario(
      source: subject.scenario?.source ?? "\(subject.name).html", placement: subject.scenario?.placement, steps: steps)
  }
}
