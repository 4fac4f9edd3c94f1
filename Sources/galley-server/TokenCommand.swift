internal import ArgumentParser
internal import Core
internal import Service
internal import Terminal

/// Makes and takes away the tokens that a server asks for.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Make, list and remove tokens.",
    subcommands: [Create.self, List.self, Remove.self])

  /// Prints a new token, once; the file keeps its hash.
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Print a new token and write its hash into the file.")

    @Argument(help: "What its holder is called.") var name: String
    @Option(help: ArgumentHelp("The file of tokens.", valueName: "file")) var file: String
    @Option(
      help: ArgumentHelp("What it allows: read, read-all, render, approve, admin.", valueName: "scope,…"),
      transform: Create.scopes)
    private var scopes: [Scope]
    @Option(help: ArgumentHelp("Requests for renders a minute.", valueName: "number")) var rate: Int?
    @Option(help: ArgumentHelp("Renders that may wait or run together.", valueName: "number")) var concurrency: Int?

    func validate() throws {
      guard (rate ?? 1) > 0, (concurrency ?? 1) > 0 else {
        throw ValidationError("--rate and --concurrency must be 1 or more")
      }
    }

    func run() throws {
      let token = try TokenFile(file).add(name: name, scopes: scopes, rate: rate, concurrency: concurrency)
      try Console.output.printMessage(token + "\n")
    }

    private static func scopes(_ text: String) throws -> [Scope] {
      try text.split(separator: ",").map {
        guard let scope = Scope(rawValue: String($0)) else {
          throw ValidationError(
            "'\($0)' is no scope: there are \(Scope.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return scope
      }
    }
  }

  /// Names and scopes; never tokens.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List whose tokens there are.")

    @Option(help: ArgumentHelp("The file of tokens.", valueName: "file")) var file: String

    func run() throws {
      for entry in try TokenFile(file).read() {
        let scopes = entry.scopes.map(\.rawValue).joined(separator: ",")
        try Console.output.printMessage("\(entry.name)  \(scopes)  \(entry.created)".printable + "\n")
      }
    }
  }

  /// Takes effect at once, also on a server that runs.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Take a token away.")

    @Argument(help: "What its holder is called.") var name: String
    @Option(help: ArgumentHelp("The file of tokens.", valueName: "file")) var file: String

    func run() throws { try TokenFile(file).remove(name: name) }
  }
}
