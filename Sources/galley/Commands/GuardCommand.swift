internal import ArgumentParser
internal import Workers

/// Hidden: the process that cleans up after a command that was killed; started by Galley itself.
struct GuardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guard", abstract: "Kill what a run left behind once standard input ends.", shouldDisplay: false)

  @Argument(transform: GuardCommand.parse) var identifier: RunIdentifier

  func run() async {
    await GuardDuty.serve(identifier)
  }

  private static func parse(_ text: String) throws -> RunIdentifier {
    guard let run = RunIdentifier(text) else { throw ValidationError("'\(text)' is no run") }
    return run
  }
}
