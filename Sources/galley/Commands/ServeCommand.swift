internal import ArgumentParser
internal import Core
internal import Terminal
internal import Workers

/// Serves renders over HTTP, as another program: who renders at a terminal needs neither it nor what it is built of.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Render over HTTP: an API, pages, and a queue that survives.")

  @Argument(parsing: .captureForPassthrough) private var words: [String] = []

  func run() async throws { try ServerCommands.become(["serve"] + words) }
}

/// Renders what a queue hands out, as the same program.
struct WorkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", abstract: "Render what a queue hands out, on as many machines as you like.")

  @Argument(parsing: .captureForPassthrough) private var words: [String] = []

  func run() async throws { try ServerCommands.become(["work"] + words) }
}

/// Opens a creative on a local page, as the same program.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play with a creative in the browser, and keep what you did as a scenario.")

  @Argument(parsing: .captureForPassthrough) private var words: [String] = []

  func run() async throws { try ServerCommands.become(["play"] + words) }
}

/// Shows results on a local page, as the same program.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Look at results or a report in the browser.")

  @Argument(parsing: .captureForPassthrough) private var words: [String] = []

  func run() async throws { try ServerCommands.become(["show"] + words) }
}

/// The program that has the commands which answer browsers.
enum ServerCommands {
  private static let commands = [
    ServeCommand.configuration, WorkCommand.configuration, PlayCommand.configuration, ShowCommand.configuration,
  ].compactMap(\.commandName)

  /// The words of a call for it, its command first; nil for a call of another command.
  static func words(in call: [String]) -> [String]? {
    if let first = call.first, commands.contains(first) { return call }
    guard call.first == "help", let second = call.dropFirst().first, commands.contains(second) else { return nil }
    return call.dropFirst() + ["--help"]
  }

  /// Goes on as that program; returns only by an error.
  static func become(_ words: [String]) throws(Fault) {
    throw Executables.become("galley-server", words)
      ? .engine("server-failed", "galley-server can't be started")
      : .engine("server-missing", "galley-server isn't built: swift build --product galley-server builds it")
  }
}
