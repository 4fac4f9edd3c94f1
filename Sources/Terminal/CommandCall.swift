internal import ArgumentParser
internal import Synchronization

/// Command that the words of a call name.
struct CommandCall<Root: ParsableCommand> {
  private(set) var command: any ParsableCommand.Type = Root.self
  /// Names of the command below galley: `baseline`, `verify`.
  private(set) var names: [String] = []

  /// Finds the command; words are followed as long as they are names of commands.
  init(_ words: [String]) {
    for word in words {
      guard let next = Self.command(word, below: command) else { return }
      command = next
      names.append(next.configuration.commandName ?? word)
    }
  }

  /// Command as a user writes it.
  var spelled: String { (["galley"] + names).joined(separator: " ") }

  /// Returns the subcommand with a name or alias.
  static func command(_ word: String, below command: any ParsableCommand.Type) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first { candidate in
      let configuration = candidate.configuration
      return configuration.commandName == word || configuration.aliases.contains(word)
    }
  }

  typealias Option = CommandOption

  /// Returns the options in a command's help.
  static func options(of command: any ParsableCommand.Type) -> [Option] {
    optionsOfCommands.once(command) { readOptions(of: command) }
  }

  /// Reads the options from the help, where they begin a line: `  -o, --out <folder>`.
  private static func readOptions(of command: any ParsableCommand.Type) -> [Option] {
    var options: [Option] = []
    for line in Root.helpMessage(for: command, columns: 200).split(separator: "\n") where line.hasPrefix("  -") {
      let words = line.split(separator: " ").prefix(3).flatMap { $0.split { $0 == "," || $0 == "/" } }
      let short = words.first { $0.hasPrefix("-") && !$0.hasPrefix("--") }.map(String.init)
      for word in words where word.hasPrefix("--") { options.append(Option(long: String(word), short: short)) }
    }
    return options
  }

  /// Long names of all commands' options.
  static var allOptions: [String] {
    var names: Set<String> = []
    var commands: [any ParsableCommand.Type] = [Root.self]
    while let command = commands.popLast() {
      for option in options(of: command) { names.insert(option.long) }
      for inner in command.configuration.subcommands where inner.configuration.shouldDisplay { commands.append(inner) }
    }
    return names.sorted()
  }
}

/// Option as printed in the help.
struct CommandOption: Sendable {
  /// Long name, such as `--out`.
  let long: String
  /// Short name, such as `-o`; nil for none.
  let short: String?
}

/// Options of each command, read from its help once, since generating a help takes as long as parsing a call.
private let optionsOfCommands = OptionTable()

private final class OptionTable: Sendable {
  private let known = Mutex<[ObjectIdentifier: [CommandOption]]>([:])

  func once(_ command: any ParsableCommand.Type, _ read: () -> [CommandOption]) -> [CommandOption] {
    let id = ObjectIdentifier(command)
    if let options = known.withLock({ $0[id] }) { return options }
    let options = read()
    known.withLock { $0[id] = options }
    return options
  }
}
