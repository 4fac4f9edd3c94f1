internal import ArgumentParser
internal import Core
internal import Jobs

/// The `galley` command: parses, runs a subcommand and turns what goes wrong into an exit code.
@main
struct GalleyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "galley", abstract: "Pulls proofs of HTML and MRAID ad creatives in real WebKit.",
    discussion: ExitStatus.help, version: Galley.version,
    subcommands: [
      RenderCommand.self, CheckCommand.self, ChecksCommand.self, ReportCommand.self, MergeReportsCommand.self,
      DiffCommand.self, BaselineCommand.self, CompareContainersCommand.self, DevicesCommand.self,
      ContainersCommand.self,
      ServeCommand.self, SelftestCommand.self, GuardCommand.self,
    ])

  static func main() async {
    StandardStreams.open()
    do {
      try CommandNames.check(Array(CommandLine.arguments.dropFirst()))
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let fault as Fault {
      end(by: fault)
    } catch let status as ExitStatus {
      status.exit()
    } catch  where exitCode(for: error) == .validationFailure {
      Console.error.write(fullMessage(for: error) + "\n")
      ExitStatus.usage.exit()
    } catch {
      // Help, the version and completions are asked for, so they have to arrive as everything else.
      let (code, text) = (exitCode(for: error), fullMessage(for: error))
      guard code == .success else { exit(withError: error) }
      do throws(Fault) {
        if !text.isEmpty { try Console.output.tell(text + "\n") }
        ExitStatus.pass.exit()
      } catch {
        end(by: error)
      }
    }
  }

  private static func end(by fault: Fault) -> Never {
    Console.error.write("error: \(fault.message) [\(fault.code)]\n")
    ExitStatus(fault.blame).exit()
  }
}
