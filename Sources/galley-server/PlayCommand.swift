internal import Application
internal import ArgumentParser
internal import Core
internal import Creatives
internal import Device
internal import FoundationEssentials
internal import MRAID
internal import Play
internal import RenderModel
internal import Terminal
internal import Workers

/// Opens a creative on a local page, where a person plays with it.
struct PlayCommand: AsyncParsableCommand, StandaloneCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play with a creative in the browser, and keep what you did as a scenario.",
    discussion: """
      Prints the address of a page on this machine: click to tap the ad, drag to swipe. The page shows calls, events \
      and states. Every step is carried out from the beginning in the creative's own time, so any of them can be taken \
      back. The creative is rendered again when one of its files changes.

      Save keeps the steps as scenario.yaml in the creative's folder, or as NAME.scenario.yaml beside a file, where \
      galley render and galley check find it.

      Exit codes: 0 told to stop, 2 wrong usage, 3 Galley or the machine failed.
      """)

  @Argument(help: ArgumentHelp("An HTML file, a folder, a zip or an http(s) URL.", valueName: "creative"))
  var creative: String

  @Option(help: ArgumentHelp("The file of steps to begin with and to keep them in.", valueName: "file"))
  var scenario: String?

  @Option(help: ArgumentHelp("A device of the catalogue, or a .json file that describes one.", valueName: "name"))
  var device = DeviceCatalogue.defaultName

  @Option(help: ArgumentHelp("How the device is held: portrait or landscape.", valueName: "orientation"))
  var orientation: String?

  @Option(help: ArgumentHelp("What the ad is shown as: banner or interstitial.", valueName: "placement"))
  var placement: String?

  @Option(help: ArgumentHelp("A banner's slot in dip.", valueName: "WxH")) var size: String?

  @Option(
    help: ArgumentHelp(
      "The SDK whose container the ad meets, or a .json file that describes one.", valueName: "name"))
  var container: String?

  @Flag(help: "Let the creative reach no address.") var offline = false
  @Option(help: ArgumentHelp("The page's port; 0 for any that is free.", valueName: "number")) var port = 0
  @Flag(help: "Open the page with xdg-open.") var open = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
    if creative == "-" { throw ValidationError("standard input can't be watched: play a file") }
    if let orientation, AppOrientation(rawValue: orientation) == nil {
      throw ValidationError("--orientation is portrait or landscape, not '\(orientation)'")
    }
    if let placement, ![Placement.Kind.banner, .interstitial].map(\.rawValue).contains(placement) {
      throw ValidationError("--placement is banner or interstitial, not '\(placement)'")
    }
    if let size, Size(slot: size) == nil {
      throw ValidationError("'\(size)' is no size: write it like 320x50, each side from 1 to 10000")
    }
  }

  func run() async throws {
    let scratch = try ScratchFolder.make()
    let job = try job(in: scratch)
    let session = PlaySession(
      job, scratch: scratch, file: scenarioFile(of: job.creative),
      settings: PoolSettings(executable: try Executables.worker(), capacity: 1, warm: 1))
    let server = PlayServer(session, port: port)
    try await PageAddress.run("galley plays on", opens: open) { ready throws(Fault) in
      try await server.run(ready: ready)
    }
  }

  /// What is rendered, as `galley render` would.
  private func job(in scratch: String) throws(Fault) -> RenderJob {
    let wish = PlacementRequest(
      kind: placement.flatMap(Placement.Kind.init), size: size.flatMap(Size.init(slot:)), position: nil)
    let template = JobTemplate(
      device: try DeviceFile.named(device), orientation: orientation.flatMap(AppOrientation.init), wish: wish,
      container: try metContainer(), limits: Limits(),
      options: RenderOptions(network: NetworkPolicy(offline ? .none : .any, allowed: []), seed: 1))
    let given: Scenario? =
      if let scenario, FileManager.default.fileExists(atPath: scenario) {
        try ScenarioFile(path: scenario, name: scenario).read()
      } else {
        nil
      }
    let plan = try BatchPlanner(out: scratch, template: template, scenario: given)
      .plan([creative], recursive: false, spool: { () throws(Fault) in "" })
    guard let item = plan.items.first else {
      throw .request("creatives-missing", "there is no creative in \(creative)")
    }
    switch item.work {
    case .render(let job): return job
    case .refused(let record):
      throw Fault(
        record.origin ?? .request, record.code ?? "creative-unrecognized",
        record.message ?? "\(creative) can't be rendered")
    }
  }

  private func metContainer() throws(Fault) -> ContainerProfile? {
    guard let container else { return nil }
    let profile = try ContainerFile.named(container)
    return profile.differences.isEmpty ? nil : profile
  }

  /// Where the steps are kept: where rendering looks for them.
  private func scenarioFile(of creative: CreativeReference) -> String {
    AbsolutePath.written(scenario ?? OwnScenario.place(of: creative))
  }
}
