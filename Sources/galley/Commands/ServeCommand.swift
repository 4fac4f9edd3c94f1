internal import ArgumentParser
internal import Core
internal import Terminal
internal import Workers

/// Serves renders over HTTP, as another program: who renders at a terminal needs neither it nor what it is built of.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Render over HTTP: an API, pages, and a queue that survives.")

  @Argument(parsing: .captureForPassthrough) private var words: [String] = []

  func run() async throws { try Self.become(words) }

  /// What a call says behind `serve`; nil for a call of another command.
  static func words(in call: [String]) -> [String]? {
    if call.first == configuration.commandName { return Array(call.dropFirst()) }
    guard call.first == "help", call.dropFirst().first == configuration.commandName else { return nil }
    return call.dropFirst(2) + ["--help"]
  }

  /// Goes on as the server's program; returns only by an error.
  static func become(_ words: [String]) throws(Fault) {
    throw Executables.become("galley-server", ["serve"] + words)
      ? .engine("server-failed", "galley-server can't be started")
      : .engine("server-missing", "galley-server isn't built: swift build --product galley-server builds it")
  }
}
