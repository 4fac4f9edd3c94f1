package import Core
package import Creatives
internal import Device
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import RenderModel
internal import Workers

/// Tests the requirements for rendering on this machine: a display, a sandbox, a page, fonts, codecs, disk space.
package struct MachineExamination: ~Copyable {
  /// Temporary folder for the results of the trials and of a creative, removed with this value.
  private let folder: String
  private let lock: Int32
  /// Folder that a caller's results would be written to.
  private let place: String

  /// - Throws: the machine's fault when there is no place for temporary files.
  package init() throws(Fault) {
    guard let own = EngineFolder.make() else {
      throw .engine(
        "output-failed",
        "can't create a folder in \(EngineFolder.place): set TMPDIR to a writable folder")
    }
    (folder, lock) = (own.path, own.lock)
    place = FileManager.default.currentDirectoryPath
  }

  deinit {
    close(lock)
    EngineFolder.remove(folder)
  }

  /// Path of the trial's page and results.
  var trial: String { "\(folder)/trial" }
  /// Path of the results of the caller's creative.
  private var rendered: String { "\(folder)/rendered" }

  /// Runs all trials one after the other; `onFinding` is called for each finding.
  package func run(onFinding: (MachineFinding) -> Void) async -> MachineReport {
    var findings: [MachineFinding] = []
    func note(_ found: [MachineFinding]) {
      for finding in found {
        findings.append(finding)
        onFinding(finding)
      }
    }
    note(await ProgramProbes.findings())
    let page = await PageProbe(folder: trial).run()
    note(page.findings)
    note(HostProbes.findings(folder: place))
    return MachineReport(webkit: page.record?.engine?.webkit, findings: findings)
  }

  /// Packs the files for a bug report: the findings, and with `creative` that creative and its result on this machine.
  package func bundle(
    _ report: MachineReport, creative: String?, spool: CreativeFinder.Spool
  ) async throws(Fault) -> ReportBundle {
    var bundle = try ReportBundle(report, trial: self)
    guard let creative else { return bundle }
    let device = try DeviceCatalogue.standard.required(DeviceCatalogue.defaultName)
    let template = JobTemplate(device: device, limits: Limits(), options: RenderOptions(), infersDevice: true)
    let planner = BatchPlanner(out: rendered, template: template)
    let plan = try planner.plan([creative], recursive: false, spool: spool)
    for item in plan.items {
      if case .refused(let record) = item.work, let fault = record.fault { throw fault }
    }
    _ = await PoolRun(settings: PoolSettings(executable: try Executables.worker(), capacity: 1)).render(plan.jobs)
    for path in plan.jobs.compactMap(\.creative.path) { try bundle.add(path, as: "creative") }
    try bundle.add(rendered, as: "result")
    return bundle
  }
}

extension RenderRecord {
  /// Fault with which the render failed; nil if it completed.
  fileprivate var fault: Fault? {
    guard let origin, let code, let message else { return nil }
    return Fault(origin, code, message)
  }
}
