internal import ArgumentParser
internal import Core

/// Errors in a call's arguments, in the form of all other errors: one line, a suggestion, a code.
enum CallError<Root: ParsableCommand> {
  /// Returns the parser's error as a fault.
  static func fault(for error: any Error, in words: [String]) -> Fault {
    let call = CommandCall<Root>(words)
    let said = Root.message(for: error).split(separator: "\n").joined(separator: " ")
    return .request("arguments-invalid", text(said, of: call, words))
  }

  /// Rejects a word like `-dash_300x250`, which the parser would take for `-h` because it contains an h.
  /// - Throws: a request's fault for letters behind a dash that aren't all options of the command.
  static func checkLetters(_ words: [String]) throws(Fault) {
    let said = words.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && !$0.hasPrefix("--") }
    let helping = said.filter { word in word.prefix { $0 != "=" }.dropFirst().contains("h") && word.count > 2 }
    guard !helping.isEmpty else { return }
    let call = CommandCall<Root>(words)
    let known = Set(CommandCall<Root>.options(of: call.command).compactMap { $0.short?.last } + ["h"])
    for word in helping {
      guard let first = word.dropFirst().first, first.isLetter else { continue }
      let letters = word.dropFirst().prefix { $0 != "=" }
      guard !letters.allSatisfy(known.contains) else { continue }
      let place = "write a file of that name as ./\(word.printable(limit: 80))"
      throw .request("arguments-invalid", "\(unknown(word, of: call)); \(place)")
    }
  }

  private static func text(_ said: String, of call: CommandCall<Root>, _ words: [String]) -> String {
    if let option = said.quoted(after: "Unknown option '") { return unknown(option, of: call) }
    if let option = said.quoted(after: "Missing value for '") {
      let name = option.prefix { $0 != " " }
      let value = name == option ? " a value" : option.dropFirst(name.count)
      return "\(name) needs\(value); write a value that begins with - as \(name)=-1"
    }
    if let argument = said.quoted(after: "Missing expected argument '") {
      // What is missing may be there under a name that isn't its own.
      if let slip = slip(in: words, of: call) { return unknown(slip, of: call) }
      return "\(call.spelled) needs \(argument); '\(call.spelled) -h' has examples"
    }
    if let value = said.quoted(after: "The value '"),
      let rest = said.dropping(prefix: "The value '\(value)' is invalid for '")
    {
      return invalid(value, String(rest))
    }
    return said.first.map { first in first.lowercased() + said.dropFirst() } ?? "can't read the command line"
  }

  /// Returns the first option of the call that the command doesn't have.
  private static func slip(in words: [String], of call: CommandCall<Root>) -> String? {
    let names = CommandCall<Root>.options(of: call.command).map(\.long)
    let said = words.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
    return said.first { !names.contains($0) }
  }

  private static func unknown(_ option: String, of call: CommandCall<Root>) -> String {
    let names = CommandCall<Root>.options(of: call.command).map(\.long)
    let hint = Suggestion.nearest(to: option, among: names) ?? names.first { $0.hasPrefix(option) && option.count > 4 }
    let tail = hint.map { "did you mean \($0)?" } ?? "'\(call.spelled) --help' lists the options"
    return "\(call.spelled) has no option '\(option.printable(limit: 80))'; \(tail)"
  }

  /// Returns the message for an invalid value, such as `--size <WxH>: '300' is no size …`.
  ///
  /// The reason comes from the code that rejected the value.
  private static func invalid(_ value: String, _ rest: String) -> String {
    let parts = rest.split(separator: "'", maxSplits: 1)
    let name = parts.first.map { $0.prefix { $0 != " " } } ?? ""
    var reason = parts.count > 1 ? String(parts[1]) : ""
    if let told = reason.dropping(prefix: ": ") { reason = String(told) }
    if reason.contains(value), !reason.isEmpty { return "\(name): \(reason)" }
    let choices = reason.dropping(prefix: ". Please provide one of ").map { $0.replacing("'", with: "") }
    return "\(name) can't be '\(value.printable(limit: 80))'" + (choices.map { "; use one of \($0)" } ?? "")
  }
}

extension String {
  /// Returns the quoted text after a prefix: `--x` for `Unknown option '--x'. …`.
  fileprivate func quoted(after beginning: String) -> String? {
    guard let rest = dropping(prefix: beginning), let end = rest.firstIndex(of: "'") else { return nil }
    return String(rest[..<end])
  }

  fileprivate func dropping(prefix: String) -> Substring? {
    hasPrefix(prefix) ? self[index(startIndex, offsetBy: prefix.count)...] : nil
  }
}
