internal import ArgumentParser
internal import Core
internal import Terminal

/// Command `galley`: parses its arguments, runs a subcommand and turns errors into an exit code.
@main
struct GalleyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "galley", abstract: "Renders and checks HTML and MRAID ad creatives in WebKit.",
    discussion: ExitStatus.wholeHelp, version: Galley.version,
    subcommands: [
      InitCommand.self, RenderCommand.self, CheckCommand.self, ChecksCommand.self,
      ReportCommand.self, MergeReportsCommand.self, InspectCommand.self,
      FilmCommand.self, TraceCommand.self, HARCommand.self, DiffCommand.self, BaselineCommand.self,
      CompareContainersCommand.self,
      CompareConsentCommand.self, CompareNetworksCommand.self,
      DevicesCommand.self, ContainersCommand.self, PlayCommand.self, ShowCommand.self, ServeCommand.self,
      WorkCommand.self,
      ConformanceCommand.self,
      DoctorCommand.self, GuardCommand.self,
    ])

  static func main() async {
    Surroundings.settle()
    await CommandRun<GalleyCommand>.run { words in
      // What answers browsers is the other program's to say, help and complaints included.
      if let words = ServerCommands.words(in: words) { try ServerCommands.become(words) }
    }
  }
}
