internal import Application
package import ArgumentParser
internal import Core
internal import Glibc
internal import Workers

/// Single call of a program: parses it, runs the command and turns errors into an exit code.
package enum CommandRun<Root: ParsableCommand> {
  /// Runs the call of this process; `first` receives its words before they are parsed.
  package static func run(_ first: @Sendable ([String]) throws -> Void = { _ in }) async {
    await run(Array(CommandLine.arguments.dropFirst()), first)
  }

  /// Runs a call with other words than those of this process.
  package static func run(_ words: [String], _ first: @Sendable ([String]) throws -> Void = { _ in }) async {
    do {
      try RetiredNames.check(words)
      try first(words)
      try CommandNames<Root>.check(words.first == "help" ? Array(words.dropFirst()) : words)
      if let page = HelpPage<Root>(words) { try show(page) }
      try CallError<Root>.checkLetters(words)
      var command = try Root.parseAsRoot(words)
      if let project = command as? any ProjectCommand { command = try taken(words, project) }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      sayUnsandboxed()
    } catch let fault as Fault {
      sayUnsandboxed()
      end(by: fault)
    } catch let status as ExitStatus {
      sayUnsandboxed()
      status.exit()
    } catch let error where Root.exitCode(for: error) == .validationFailure {
      end(by: CallError<Root>.fault(for: error, in: words))
    } catch {
      // Help, the version and completions are asked for, so they have to arrive as everything else.
      let (code, text) = (Root.exitCode(for: error), Root.fullMessage(for: error))
      guard code == .success else { Root.exit(withError: error) }
      do throws(Fault) {
        // A group of commands without one of them shows its help as well.
        if text.hasPrefix("OVERVIEW:"), let page = HelpPage<Root>(words + ["--help"]) { try show(page) }
        if !text.isEmpty { try Console.output.printMessage(text + "\n") }
        ExitStatus.pass.exit()
      } catch {
        end(by: error)
      }
    }
  }

  /// Returns the command with the options of its project file.
  ///
  /// A call with `--json` or `--quiet` doesn't print the options taken from the file.
  private static func taken(_ words: [String], _ command: any ProjectCommand) throws -> any ParsableCommand {
    let file = try command.policy()
    let isTold = !words.contains { ["--json", "--quiet", "-q"].contains($0) }
    if isTold, let remark = file.remark { Console.error.write(remark + "\n") }
    guard let call = try ProjectCall<Root>(words, command, file) else { return command }
    let taken = try call.command()
    if isTold { Console.error.write(call.line) }
    return taken
  }

  /// Prints a warning if creatives were rendered without the sandbox, independent of other output.
  private static func sayUnsandboxed() {
    let count = UnsandboxedRenders.count
    guard count > 0 else { return }
    let renders = count == 1 ? "1 render" : "\(count) renders"
    Console.error.write("warning: WebKit's sandbox was off in \(renders): \(SandboxRequirement.remedy)\n")
  }

  private static func show(_ page: HelpPage<Root>) throws(Fault) -> Never {
    try Console.output.printMessage(page.text(width: Console.output.width))
    ExitStatus.pass.exit()
  }

  private static func end(by fault: Fault) -> Never {
    Console.error.printMessage(fault)
    ExitStatus(fault.origin).exit()
  }
}

/// Names of commands; a wrong name is reported with a suggestion.
enum CommandNames<Root: ParsableCommand> {
  /// - Throws: a request's fault when the words don't begin with a command, nor with an option.
  static func check(_ words: [String]) throws(Fault) {
    var command: any ParsableCommand.Type = Root.self
    for word in words {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      guard let next = CommandCall<Root>.command(word, below: command) else {
        // What does something by itself needs no command behind it.
        if command is any StandaloneCommand.Type { return }
        throw unknown(word, below: command, among: shown(commands))
      }
      command = next
    }
  }

  private static func unknown(
    _ word: String, below command: any ParsableCommand.Type, among names: [String]
  ) -> Fault {
    let hint = Suggestion.nearest(to: word, among: names).map { "did you mean \($0)?" }
    let prefix = command == Root.self ? "galley" : "galley … \(name(command))"
    return .request(
      "command-unknown",
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

/// Command that also runs without any of its subcommands.
package protocol StandaloneCommand: ParsableCommand {}

/// Hidden command of the process that cleans up after a killed command; started by Galley itself.
package struct GuardCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "guard", abstract: "Remove the remains of a run after standard input ends.", shouldDisplay: false)

  @Argument(transform: GuardCommand.parse) var identifier: RunIdentifier

  package init() {}

  package func run() async {
    await WatchdogProcess.serve(identifier)
  }

  private static func parse(_ text: String) throws -> RunIdentifier {
    guard let run = RunIdentifier(text) else { throw ValidationError("'\(text)' isn't a run") }
    return run
  }
}

/// Standard input, output and error of a program.
package enum StandardStreams {
  /// Opens streams that the caller left closed, so that no other file gets their numbers and receives their output.
  ///
  /// A program calls it before anything else, since code that awaits a task opens files of its own.
  package static func open() {
    while true {
      let descriptor = Glibc.open("/dev/null", O_WRONLY)
      guard (0...STDERR_FILENO).contains(descriptor) else {
        if descriptor >= 0 { close(descriptor) }
        return
      }
    }
  }
}
