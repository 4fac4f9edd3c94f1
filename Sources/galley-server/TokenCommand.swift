internal import ArgumentParser
internal import Core
internal import Service
internal import Terminal

/// The `serve token` command, which manages the tokens of a server.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Create, list and remove tokens.",
    subcommands: [Create.self, List.self, Remove.self])

  /// Prints a new token, once; the file contains only its hash.
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Print a new token and write its hash into the file.")

    @Argument(help: "The holder's name.") var name: String
    @Option(help: ArgumentHelp("The file of tokens.", valueName: "file")) var file: String
    @Option(
      help: ArgumentHelp("A scope to allow: read, read-all, render, approve, admin.", valueName: "scope,…"),
      transform: Create.scopes)
    private var scopes: [Scope]
    @Option(help: ArgumentHelp("Maximum number of render requests per minute.", valueName: "number")) var rate: Int?
    @Option(help: ArgumentHelp("Maximum number of renders that wait or run at the same time.", valueName: "number"))
    var concurrency: Int?

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
            "'\($0)' isn't a scope: use \(Scope.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return scope
      }
    }
  }

  /// Lists names and scopes, never tokens.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the holders of tokens and their scopes.")

    @Option(help: ArgumentHelp("The file of tokens.", valueName: "file")) var file: String

    func run() throws {
      for entry in try TokenFile(file).read() {
        let scopes = entry.scopes.map(\.rawValue).joined(separator: ",")
        try Console.output.printMessage("\(entry.name)  \(scopes)  \(entry.created)".printable + "\n")
      }
    }
  }

  /// Removes a token, with immediate effect also on a running server.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a token.")

    @Argument(help: "The holder's name.") var name: String
    @Option(help: ArgumentHelp("The file of tokens.", valueName: "file")) var file: String

    func run() throws { try TokenFile(file).remove(name: name) }
  }
}
