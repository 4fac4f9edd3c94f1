package import Core
package import Creatives
internal import Device
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import RenderModel
internal import Workers

/// Tries what rendering takes of this machine: a display, a sandbox, a page, fonts, codecs, room.
package struct MachineExamination: ~Copyable {
  /// What is there while this value lives: the trials' results, and a creative's.
  private let folder: String
  private let lock: Int32
  /// Where a caller's results would go.
  private let place: String

  /// - Throws: the machine's fault when there is no place for temporary files.
  package init() throws(Fault) {
    guard let own = EngineFolder.make() else {
      throw .engine(
        "output-failed", "no folder can be made in \(EngineFolder.place): TMPDIR=FOLDER names one that can be written to")
    }
    (folder, lock) = (own.path, own.lock)
    place = FileManager.default.currentDirectoryPath
  }

  deinit {
    close(lock)
    EngineFolder.remove(folder)
  }

  /// Where the trial's page and its results are.
  var trial: String { "\(folder)/trial" }
  /// Where a creative of the caller's is rendered.
  private var rendered: String { "\(folder)/rendered" }

  /// Tries it all, one after the other; `onFinding` hears of each as it is known.
  package func run(onFinding: (MachineFinding) -> Void) async -> MachineReport {
    var findings: [MachineFinding] = []
    func note(_ found: [MachineFinding]) {
      for finding in found {
        findings.append(finding)
        onFinding(finding)
      }
    }
    note(await ProgramTrials.findings())
    let page = await PageTrial(folder: trial).run()
    note(page.findings)
    note(HostTrials.findings(folder: place))
    return MachineReport(webkit: page.record?.engine?.webkit, findings: findings)
  }

  /// Packs what a bug report needs: the findings, and with `creative` what that is and how it comes out here.
  package func bundle(
    _ report: MachineReport, creative: String?, spool: CreativeFinder.Spool
  ) async throws(Fault) -> ReportBundle {
    var bundle = try ReportBundle(report, trial: self)
    guard let creative else { return bundle }
    let device = try DeviceCatalogue.standard.required(DeviceCatalogue.defaultName)
    let template = JobTemplate(device: device, limits: Limits(), options: RenderOptions())
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
  /// Why it didn't complete; nil when it did.
  fileprivate var fault: Fault? {
    guard let origin, let code, let message else { return nil }
    return Fault(origin, code, message)
  }
}
