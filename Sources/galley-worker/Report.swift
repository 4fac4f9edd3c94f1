internal import Foundation

/// What a worker says to people; the command keeps the last of it for a crash's message.
enum Report {
  /// Says why the worker can't work and ends it.
  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("galley-worker: \(message)\n".utf8))
    exit(3)
  }
}
