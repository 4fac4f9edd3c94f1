internal import ArgumentParser
internal import Core
internal import Jobs

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
