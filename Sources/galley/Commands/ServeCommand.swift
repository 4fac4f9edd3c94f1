internal import ArgumentParser
internal import Core
internal import Terminal
internal import Workers

/// Serves renders over HTTP by starting the program `galley-server`.
///
/// Rendering from a terminal needs neither that program nor its dependencies.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve renders over HTTP: an API, web pages and a persistent queue.")

  @Argument(parsing: .captureForPassthrough) private var words: [String] = []

  func run() async throws { try ServerCommands.become(["serve"] + words) }
}

/// Renders jobs from a queue by starting the same program.
struct WorkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", abstract: "Render jobs from a queue, on any number of machines.")

  @Argument(parsing: .captureForPassthrough) private var words: [String] = []

  func run() async throws { try ServerCommands.become(["work"] + words) }
}

/// Opens a creative on a local page by starting the same program.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Interact with a creative in the browser and save the steps as a scenario.")

  @Argument(parsing: .captureForPassthrough) private var words: [String] = []

  func run() async throws { try ServerCommands.become(["play"] + words) }
}

/// Shows results on a local page by starting the same program.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show results or a report in the browser.")

  @Argument(parsing: .captureForPassthrough) private var words: [String] = []

  func run() async throws { try ServerCommands.become(["show"] + words) }
}

/// Commands of the program `galley-server`, which serves browsers.
enum ServerCommands {
  private static let commands = [
    ServeCommand.configuration, WorkCommand.configuration, PlayCommand.configuration, ShowCommand.configuration,
  ].compactMap(\.commandName)

  /// Returns the arguments of a call for that program, with its command first; nil for a call of another command.
  static func words(in call: [String]) -> [String]? {
    if let first = call.first, commands.contains(first) { return call }
    guard call.first == "help", let second = call.dropFirst().first, commands.contains(second) else { return nil }
    return call.dropFirst() + ["--help"]
  }

  /// Replaces this process by that program; returns only by an error.
  static func become(_ words: [String]) throws(Fault) {
    throw Executables.become("galley-server", words)
      ? .engine("server-failed", "can't start galley-server")
      : .engine("server-missing", "galley-server is missing: build it with swift build --product galley-server")
  }
}
