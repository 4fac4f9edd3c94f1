internal import ArgumentParser
internal import Core
internal import Glibc
internal import RenderModel
internal import Workers

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

/// The names of commands, of which a wrong one is told with what was probably meant.
enum CommandNames {
  /// - Throws: a request's fault when the words don't begin with a command, nor with an option.
  static func check(_ words: [String]) throws(Fault) {
    var command: any ParsableCommand.Type = GalleyCommand.self
    for word in words {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      guard let next = commands.first(where: { command in name(command) == word }) else {
        // What does something by itself needs no command behind it.
        if command == ServeCommand.self { return }
        throw unknown(word, below: command, among: shown(commands))
      }
      command = next
    }
  }

  private static func unknown(
    _ word: String, below command: any ParsableCommand.Type, among names: [String]
  ) -> Fault {
    let hint = Suggestion.nearest(to: word, among: names).map { "did you mean \($0)?" }
    let prefix = command == GalleyCommand.self ? "galley" : "galley … \(name(command))"
    return .request(
      "unknown-command",
      "there is no command '\(word.printable(limit: 80))' of \(prefix); "
        + (hint ?? "there are \(names.joined(separator: ", "))"))
  }

  private static func shown(_ commands: [any ParsableCommand.Type]) -> [String] {
    var names: [String] = []
    for command in commands where command.configuration.shouldDisplay { names.append(name(command)) }
    return names
  }

  private static func name(_ command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }
}

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

/// The three streams a program starts with.
enum StandardStreams {
  /// Opens those the caller left closed, so that no other file takes their numbers and gets what is meant for them.
  static func open() {
    while true {
      let descriptor = Glibc.open("/dev/null", O_WRONLY)
      guard (0...STDERR_FILENO).contains(descriptor) else {
        if descriptor >= 0 { close(descriptor) }
        return
      }
    }
  }
}
