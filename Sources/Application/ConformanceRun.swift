package import Core
internal import Creatives
package import Device
internal import Foundation
package import RenderModel
package import Workers

/// Run of the suite: renders its cases in a pool and evaluates the output of their pages.
package struct ConformanceRun: Sendable {
  /// Outcome of the run.
  package struct Outcome: Sendable {
    package let report: ConformanceReport
    package let interrupted: Bool
    package let wall: Duration

    package init(report: ConformanceReport, interrupted: Bool, wall: Duration) {
      (self.report, self.interrupted, self.wall) = (report, interrupted, wall)
    }
  }

  private let cases: [ConformanceCase]
  /// Jobs of the cases, with the case's index as id.
  private let jobs: [RenderJob]
  private let settings: PoolSettings

  package init(cases: [ConformanceCase], jobs: [RenderJob], settings: PoolSettings) {
    (self.cases, self.jobs, self.settings) = (cases, jobs, settings)
  }

  /// Renders all cases and returns the outcome.
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

/// Turns the suite's cases into jobs, each with its device, container and scenario, that last until the page has reported.
package struct SuiteJobs {
  private let suite: SuiteFolder
  /// Absolute path of the results' folder.
  private let out: String
  private let limits: Limits
  private let options: RenderOptions
  /// Indicates if a screenshot of the page's list of results is taken.
  private let takesScreenshot: Bool

  package init(suite: SuiteFolder, out: String, limits: Limits, options: RenderOptions, takesScreenshot: Bool) {
    (self.suite, self.out, self.limits) = (suite, out, limits)
    (self.options, self.takesScreenshot) = (options, takesScreenshot)
  }

  /// Returns a job for each case, with the case's index as id.
  package func jobs(_ cases: [ConformanceCase]) throws(Fault) -> [RenderJob] {
    var jobs: [RenderJob] = []
    for (index, subject) in cases.enumerated() {
      let folder = ResultFolder(out + "/" + subject.name)
      try folder.prepare()
      jobs.append(
        RenderJob(
          id: index, creative: suite.reference(subject.name), output: folder.path,
          device: try suite.device(of: subject),
          placement: (subject.scenario?.placement ?? Placement(kind: .banner)).shown(in: subject.container),
          scenario: scenario(of: subject), container: subject.container, limits: limits, options: options))
    }
    return jobs
  }

  /// Returns the case's own steps, followed by a wait for the end of the page's tests.
  private func scenario(of subject: ConformanceCase) -> Scenario {
    var steps = subject.scenario?.steps ?? []
    let line = (steps.last?.line ?? 0) + 1
    steps.append(Scenario.Step(line: line, action: .evaluate("await (window.suite && suite.finished)")))
    if takesScreenshot { steps.append(Scenario.Step(line: line, action: .screenshot("results"))) }
    return Scenario(
      source: subject.scenario?.source ?? "\(subject.name).html", placement: subject.scenario?.placement, steps: steps)
  }
}

/// Folder with the suite's creatives, their scenarios and devices.
package struct SuiteFolder: Sendable {
  /// Path of the suite in a checkout of Galley.
  package static let standard = "Creatives/conformance"
  /// Device of creatives that need no other.
  private static let usualDevice = "devices/phone.json"

  package let path: String

  package init(path: String) { self.path = path }

  /// Returns the given folder, or the standard one above this program, or else above the working directory.
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

  /// Returns every creative that tests a rule, sorted by section and name.
  package func cases() throws(Fault) -> [ConformanceCase] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".html") }
    var cases: [ConformanceCase] = []
    for name in names.sorted().map({ String($0.dropLast(5)) }) {
      let page: [UInt8]
      do throws(FileReadingError) {
        page = try FileReading.regular("\(path)/\(name).html", most: 16 << 20)
      } catch {
        throw .request("file-unreadable", "can't read \(name).html of the suite: \(error)")
      }
      let scenario = try OwnScenario.of(reference(name))
      if let found = try ConformanceCase(name: name, page: page, scenario: scenario) { cases.append(found) }
    }
    guard !cases.isEmpty else { throw .request("suite-empty", "no creative in \(path) names the rule that it tests") }
    return cases.sorted { ($0.section.rawValue, $0.name) < ($1.section.rawValue, $1.name) }
  }

  /// Returns the reference by which a job names the creative.
  package func reference(_ name: String) -> CreativeReference {
    CreativeReference(argument: "\(name).html", path: "\(path)/\(name).html", name: name)
  }

  /// Reads the device of a case.
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
