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

/// Opens a creative on a local page, on which a user plays with it.
struct PlayCommand: AsyncParsableCommand, StandaloneCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Interact with a creative in the browser and save the steps as a scenario.",
    discussion: """
      Prints the address of a page on this machine: click to tap the ad, drag to swipe. The page shows calls, events \
      and states. Every step runs from the beginning on the creative's virtual clock, so you can undo any step. When \
      one of the creative's files changes, the creative is rendered again.

      Save writes the steps to scenario.yaml in the creative's folder, or to NAME.scenario.yaml beside a file, where \
      galley render and galley check find it.

      Exit codes: 0 stopped by a signal, 2 wrong usage, 3 Galley or the machine failed.
      """)

  @Argument(help: ArgumentHelp("An HTML file, a folder, a zip or an http(s) URL.", valueName: "creative"))
  var creative: String

  @Option(help: ArgumentHelp("The scenario file to start with and to save into.", valueName: "file"))
  var scenario: String?

  @Option(
    help: ArgumentHelp(
      """
      A device of the catalogue, or a .json file that describes one (default: \(DeviceCatalogue.defaultName), or a \
      device with room for the ad).
      """,
      valueName: "name"))
  var device: String?

  @Option(help: ArgumentHelp("The device's orientation: portrait or landscape.", valueName: "orientation"))
  var orientation: String?

  @Option(help: ArgumentHelp("The ad's placement: banner or interstitial.", valueName: "placement"))
  var placement: String?

  @Option(help: ArgumentHelp("A banner's size in dip.", valueName: "WxH")) var size: String?

  @Option(
    help: ArgumentHelp(
      "The SDK container in which the ad runs, or a .json file that describes one.", valueName: "name"))
  var container: String?

  @Flag(help: "Render without network access.") var offline = false

  @OptionGroup var user: UserSettingsOptions

  @Option(help: ArgumentHelp("The page's port; 0 for any free port.", valueName: "number")) var port = 0
  @Flag(help: "Open the page with xdg-open.") var open = false

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
    if creative == "-" { throw ValidationError("play takes a file: it can't watch standard input") }
    if let orientation, AppOrientation(rawValue: orientation) == nil {
      throw ValidationError("--orientation is portrait or landscape, not '\(orientation)'")
    }
    if let placement, ![Placement.Kind.banner, .interstitial].map(\.rawValue).contains(placement) {
      throw ValidationError("--placement is banner or interstitial, not '\(placement)'")
    }
    if let size, Size(slot: size) == nil {
      throw ValidationError("'\(size)' isn't a size: write it like 320x50, each side from 1 to 10000")
    }
  }

  func run() async throws {
    let scratch = try ScratchFolder.make()
    let job = try job(in: scratch)
    if let warning = try await SandboxRequirement.check(isWaived: true) { Console.error.write(warning) }
    let session = PlaySession(
      job, scratch: scratch, file: scenarioFile(of: job.creative),
      settings: PoolSettings(executable: try Executables.worker(), capacity: 1, warm: 1))
    let server = PlayServer(session, port: port)
    try await PageAddress.run("galley plays on", opens: open) { ready throws(Fault) in
      try await server.run(ready: ready)
    }
  }

  /// The job for the creative, as `galley render` would make it.
  private func job(in scratch: String) throws(Fault) -> RenderJob {
    let wish = PlacementRequest(
      kind: placement.flatMap(Placement.Kind.init), size: size.flatMap(Size.init(slot:)), position: nil)
    let template = JobTemplate(
      device: try DeviceFile.named(device ?? DeviceCatalogue.defaultName),
      orientation: orientation.flatMap(AppOrientation.init), wish: wish,
      container: try metContainer(), limits: Limits(),
      options: RenderOptions(
        network: NetworkPolicy(offline ? .none : .any, allowed: []), seed: 1,
        settings: user.settings), infersDevice: device == nil)
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

  /// Path of the scenario file for the steps, which is also the one that rendering looks for.
  private func scenarioFile(of creative: CreativeReference) -> String {
    AbsolutePath.written(scenario ?? OwnScenario.place(of: creative))
  }
}
