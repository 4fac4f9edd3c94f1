internal import ArgumentParser
internal import Core
internal import Terminal

/// The `galley-server` program, which `galley serve`, `work`, `play` and `show` start; it presents itself as `galley`.
@main
struct ServerProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "galley", abstract: "Serves renders over HTTP.", version: Galley.version,
    subcommands: [
      ServeCommand.self, WorkCommand.self, PlayCommand.self, ShowCommand.self, SendCommand.self, GuardCommand.self,
    ])

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    let isNamed = words.first.map(["serve", "work", "play", "show", "send", "guard", "--version"].contains) ?? false
    Surroundings.settle()
    await CommandRun<ServerProgram>.run(isNamed ? words : ["serve"] + words)
  }
}
