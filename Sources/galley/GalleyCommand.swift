internal import ArgumentParser
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
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let fault as Fault {
      Console.error.write("error: \(fault.message.printable) [\(fault.code)]\n")
      ExitStatus(fault.blame).exit()
    } catch let status as ExitStatus {
      status.exit()
    } catch  where exitCode(for: error) == .validationFailure {
      Console.error.write(fullMessage(for: error) + "\n")
      ExitStatus.usage.exit()
    } catch {
      exit(withError: error)
    }
  }
}
