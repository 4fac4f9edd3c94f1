package import Core
internal import Creatives
package import Device
internal import Foundation
package import RenderModel
package import Workers

/// One run of the suite: its cases through a pool, and what their pages said.
package struct ConformanceRun: Sendable {
  /// What came of it.
  package struct Outcome: Sendable {
    package let report: ConformanceReport
    package let interrupted: Bool
    package let wall: Duration

    package init(report: ConformanceReport, interrupted: Bool, wall: Duration) {
      (self.report, self.interrupted, self.wall) = (report, interrupted, wall)
    }
  }

  private let cases: [ConformanceCase]
  /// One for each case, with its index as id.
  private let jobs: [RenderJob]
  private let settings: PoolSettings

  package init(cases: [ConformanceCase], jobs: [RenderJob], settings: PoolSettings) {
    (self.cases, self.jobs, self.settings) = (cases, jobs, settings)
  }

  /// Renders all.
  package func run(onProgress: (PoolProgress) -> Void) async -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    let (records, interrupted) = await PoolRun(settings: settings).render(jobs, progress: onProgress)
    let rows = zip(cases, jobs).flatMap { subject, job in
      let console = ResultFolder(job.output).log.console
      return CaseVerdict(subject, console: console, record: records[job.id] ?? .cutShort(job)).rows
    }
    return Outcome(
      report: ConformanceReport(rows), interrupted: interrupted, wall: start.duration(to: clock.now))
  }
}

/// Turns the suite's cases into jobs: each on the device it asks for, by its scenario, until its page has reported.
package struct SuiteJobs {
  private let suite: SuiteFolder
  /// The results' folder, absolute.
  private let out: String
  private let limits: Limits
  private let options: RenderOptions
  /// Whether to picture the page's list of results.
  private let takesScreenshot: Bool

  package init(suite: SuiteFolder, out: String, limits: Limits, options: RenderOptions, takesScreenshot: Bool) {
    (self.suite, self.out, self.limits) = (suite, out, limits)
    (self.options, self.takesScreenshot) = (options, takesScreenshot)
  }

  /// One job a case, whose id is the case's index.
  package func jobs(_ cases: [ConformanceCase]) throws(Fault) -> [RenderJob] {
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
    if takesScreenshot { steps.append(Scenario.Step(line: line, action: .screenshot("results"))) }
    return Scenario(
      source: subject.scenario?.source ?? "\(subject.name).html", placement: subject.scenario?.placement, steps: steps)
  }
}

/// The folder with the suite's creatives, their scenarios and devices.
package struct SuiteFolder: Sendable {
  /// Where it is in a checkout of Galley.
  package static let standard = "Creatives/conformance"
  /// The device of creatives that ask for no other.
  private static let usualDevice = "devices/phone.json"

  package let path: String

  package init(path: String) { self.path = path }

  /// The folder given, else the standard one above this program, or else above the working directory.
  package static func find(_ given: String?, program: String = Executables.own) throws(Fault) -> SuiteFolder {
    let here = FileManager.default.currentDirectoryPath
    if let given {
      let path = given.hasPrefix("/") ? given : here + "/" + given
      guard isFolder(path) else { throw .request("suite-missing", "there is no folder \(given)") }
      return SuiteFolder(path: path)
    }
    for start in [program, here] {
      for folder in parents(of: start) where isFolder(folder + "/" + standard) {
        return SuiteFolder(path: folder + "/" + standard)
      }
    }
    throw .request(
      "suite-missing", "there is no \(standard) above this program or above \(here); name the folder with --suite")
  }

  /// Every creative that tests a rule, by section and name.
  package func cases() throws(Fault) -> [ConformanceCase] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".html") }
    var cases: [ConformanceCase] = []
    for name in names.sorted().map({ String($0.dropLast(5)) }) {
      let page: [UInt8]
      do throws(FileReadingError) {
        page = try FileReading.regular("\(path)/\(name).html", most: 16 << 20)
      } catch {
        throw .request("file-unreadable", "\(name).html of the suite can't be read: \(error)")
      }
      let scenario = try OwnScenario.of(reference(name))
      if let found = try ConformanceCase(name: name, page: page, scenario: scenario) { cases.append(found) }
    }
    guard !cases.isEmpty else { throw .request("suite-empty", "no creative in \(path) says which rule it tests") }
    return cases.sorted { ($0.section.rawValue, $0.name) < ($1.section.rawValue, $1.name) }
  }

  /// The creative as a job names it.
  package func reference(_ name: String) -> CreativeReference {
    CreativeReference(argument: "\(name).html", path: "\(path)/\(name).html", name: name)
  }

  /// The device that a case asks for.
  package func device(of subject: ConformanceCase) throws(Fault) -> Device {
    try DeviceFile.read("\(path)/\(subject.device ?? Self.usualDevice)")
  }

  private static func parents(of path: String) -> [String] {
    var folders: [String] = []
    var rest = path[...]
    while !rest.isEmpty {
      folders.append(String(rest))
      rest = rest[..<(rest.lastIndex(of: "/") ?? rest.startIndex)]
    }
    return folders
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
