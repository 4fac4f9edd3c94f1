package import ArgumentParser
internal import Core
internal import Glibc
internal import Workers

/// One call of a program: parses it, runs the command and turns what goes wrong into an exit code.
package enum CommandRun<Root: ParsableCommand> {
  /// `first` sees the words before anybody else.
  package static func run(_ first: @Sendable ([String]) throws -> Void = { _ in }) async {
    await run(Array(CommandLine.arguments.dropFirst()), first)
  }

  /// The same of a call that isn't this process's own word for word.
  package static func run(_ words: [String], _ first: @Sendable ([String]) throws -> Void = { _ in }) async {
    do {
      try RetiredNames.check(words)
      try first(words)
      try CommandNames<Root>.check(words.first == "help" ? Array(words.dropFirst()) : words)
      if let page = HelpPage<Root>(words) { try show(page) }
      var command = try Root.parseAsRoot(words)
      if let call = try ProjectCall<Root>(words, command) {
        command = try call.command()
        if let line = call.line { Console.error.write(line) }
      }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let fault as Fault {
      end(by: fault)
    } catch let status as ExitStatus {
      status.exit()
    } catch  where Root.exitCode(for: error) == .validationFailure {
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

  private static func show(_ page: HelpPage<Root>) throws(Fault) -> Never {
    try Console.output.printMessage(page.text(width: Console.output.width))
    ExitStatus.pass.exit()
  }

  private static func end(by fault: Fault) -> Never {
    Console.error.printMessage(fault)
    ExitStatus(fault.origin).exit()
  }
}

/// The names of commands, of which a wrong one is told with what was probably meant.
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

/// A command that does something by itself, though there are others below it.
package protocol StandaloneCommand: ParsableCommand {}

/// Hidden: the process that cleans up after a command that was killed; started by Galley itself.
package struct GuardCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "guard", abstract: "Kill what a run left behind once standard input ends.", shouldDisplay: false)

  @Argument(transform: GuardCommand.parse) var identifier: RunIdentifier

  package init() {}

  package func run() async {
    await WatchdogProcess.serve(identifier)
  }

  private static func parse(_ text: String) throws -> RunIdentifier {
    guard let run = RunIdentifier(text) else { throw ValidationError("'\(text)' is no run") }
    return run
  }
}

/// The three streams a program starts with.
package enum StandardStreams {
  /// Opens those the caller left closed, so that no other file takes their numbers and gets what is meant for them.
  ///
  /// A program does so before all else: what waits for a task opens files of its own.
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
