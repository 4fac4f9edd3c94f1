import Core
import Foundation

@testable import galley

/// A text that a creative may choose, and what an output mustn't become by it.
enum HostileText {
  /// Line breaks of every kind, commands of build servers, sequences of terminals, what turns directions, and length.
  static let sample =
    "::error::owned\n::stop-commands::t\r\n  ::add-mask::x\u{2028}##vso[task.setvariable variable=A]b\u{85}"
    + "##teamcity[buildStop]\u{B}\u{1B}[2J\u{1B}]0;title\u{7}\u{9B}31m\u{7F}\u{0}\u{202E}dessap\u{2066}\u{FEFF}\u{E0041}"
    + String(repeating: "x", count: 5_000)

  /// What is wrong with an output; nil for one that is only text.
  static func harm(in output: String) -> String? {
    for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      if let scalar = line.unicodeScalars.first(where: { $0.isUnprintable }) { return "\(scalar.debugDescription)" }
      if text.hasPrefix("::") { return "a command of GitHub: \(text.prefix(60))" }
      if text.firstMatch(of: /##[A-Za-z]*\[/) != nil { return "a service message: \(text.prefix(60))" }
      if line.unicodeScalars.count > 10_000 { return "a line of \(line.unicodeScalars.count)" }
    }
    return nil
  }

  /// What is written to a console meanwhile.
  static func captured(_ work: (Console) throws -> Void) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "console-\(UUID().uuidString)").path()
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer {
      close(descriptor)
      unlink(path)
    }
    try work(Console(descriptor: descriptor))
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}
