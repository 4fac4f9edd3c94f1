internal import ArgumentParser
internal import Core
internal import Terminal

/// The `galley-server` program, which `galley serve`, `play` and `show` become; it calls itself by that name.
@main
struct ServerProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "galley", abstract: "Serves renders over HTTP.", version: Galley.version,
    subcommands: [ServeCommand.self, PlayCommand.self, ShowCommand.self, GuardCommand.self])

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    let isNamed = words.first.map(["serve", "play", "show", "guard", "--version"].contains) ?? false
    StandardStreams.open()
    await CommandRun<ServerProgram>.run(isNamed ? words : ["serve"] + words)
  }
}
