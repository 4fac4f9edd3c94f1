internal import Application
internal import ArgumentParser
internal import Core
internal import Creatives
internal import RenderModel
internal import Terminal
internal import Workers

/// Creates a project: its configuration file, a first scenario and a CI system's file.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create a project: galley.yaml, a first scenario, a CI file.",
    discussion: """
      Writes galley.yaml beside the creatives, and a scenario for the first creative that can be tapped; a render \
      finds the tap targets. --ci adds a file for a CI system, at the path where that system looks for it. Existing \
      files stay unchanged.

      Exit codes: 0 created, 2 wrong usage, 3 Galley or the machine failed.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder of the creatives (default: the folder below this one that contains them all).", valueName: "folder"))
  var folder: String?

  @Option(help: ArgumentHelp("The CI system to write a file for.", valueName: "system"))
  var ci = CIChoice.none

  func run() async throws {
    let starter = try ProjectStarter(folder: folder)
    // Whatever is wrong with it is told before anything is written.
    let pipeline = try ci.system.map { system throws(Fault) in try starter.pipeline(system) }
    try tell(try starter.write(StarterPolicy.text, to: starter.policy))
    try await writeScenario(starter)
    if let pipeline {
      let file = try starter.write(pipeline.text, to: pipeline.path)
      try tell(file, note: file.isNew ? "set where Galley's image or package is" : "")
    }
    let creatives = ShellWord.quoted(starter.folder)
    try say(
      "next", starter.creatives.isEmpty ? "put creatives into \(creatives)" : "galley check \(creatives) --recursive")
    if pipeline != nil { try say("", "galley baseline record \(creatives) --recursive") }
  }

  /// Writes a scenario for the first creative that can be tapped.
  private func writeScenario(_ starter: ProjectStarter) async throws {
    let (creatives, existing) = try starter.candidates()
    if let existing { return try say("kept", "\(existing), an existing scenario") }
    guard !creatives.isEmpty else { return try say("none", "\(starter.folder) has no creatives yet") }
    let settings = PoolSettings(executable: try Executables.worker(), capacity: 1)
    for creative in creatives {
      switch try await StarterScenario(settings: settings).make(for: creative) {
      case .text(let text, let taps):
        return try tell(try starter.write(text, to: OwnScenario.place(of: creative)), note: "taps \(taps)")
      case .nothing: try say("none", "nothing in \(creative.argument) can be tapped, so it needs no scenario")
      case .failed(let reason): try say("none", "\(creative.argument) has no scenario yet: \(reason)")
      }
    }
  }

  private func tell(_ file: ProjectStarter.File, note: String = "") throws {
    let notes = (file.isNew ? [] : ["which already exists"]) + (note.isEmpty ? [] : [note])
    try say(file.isNew ? "wrote" : "kept", ([file.path] + notes).joined(separator: ", "))
  }

  private func say(_ word: String, _ text: String) throws {
    try Console.output.printMessage("\(word.padded(to: 7))\(text)".printable + "\n")
  }
}

/// CI system, or none.
enum CIChoice: Hashable, ExpressibleByArgument {
  case none
  case named(CISystem)

  init?(argument: String) {
    if argument == "none" {
      self = .none
    } else if let system = CISystem(rawValue: argument) {
      self = .named(system)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { CISystem.allCases.map(\.rawValue) + ["none"] }

  var defaultValueDescription: String { system?.rawValue ?? "none" }

  var system: CISystem? { if case .named(let system) = self { system } else { nil } }
}
