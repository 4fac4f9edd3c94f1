internal import ArgumentParser
internal import Core

/// Help of a command, with common options first and examples last; `-h` leaves out the less common options.
struct HelpPage<Root: ParsableCommand> {
  /// Command whose help is requested, with its names.
  let call: CommandCall<Root>
  /// Indicates if the help was requested by `-h`.
  let isShort: Bool

  /// Makes the page for a call.
  /// - Returns: nil when the words don't ask for help.
  init?(_ words: [String]) {
    let mine = words.prefix { $0 != "--" }
    let isNamed = mine.first == "help"
    guard isNamed || mine.contains("--help") || mine.contains("-h") else { return nil }
    call = CommandCall(isNamed ? Array(mine.dropFirst()) : Array(mine))
    isShort = !isNamed && !mine.contains("--help")
  }

  /// Returns the page, in lines no longer than the terminal.
  func text(width: Int) -> String {
    let help = Root.helpMessage(for: call.command, columns: width)
    var sections = Self.sections(of: help)
    // The parser has its own order, in which the options of everybody come after those of a few.
    let first = ["OVERVIEW", "USAGE", "ARGUMENTS", "OPTIONS"]
    let common = first.flatMap { title in sections.filter { $0.title == title } }
    sections.removeAll { first.contains($0.title) }
    let commands = sections.filter { $0.title.hasSuffix("SUBCOMMANDS") }
    let groups = sections.filter { !$0.title.hasSuffix("SUBCOMMANDS") }
    var parts = common.map { isShort ? $0.short : $0.text }
    if isShort, !groups.isEmpty {
      let names = groups.map { $0.title.lowercased() }.joined(separator: ", ")
      parts.append("More options with --help: \(names)")
    } else {
      parts += groups.map(\.text)
    }
    parts += commands.map(\.text)
    if let examples { parts.append(examples) }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var examples: String? {
    let examples = CommandExamples.of(call.names.joined(separator: " "))
    guard !examples.isEmpty else { return nil }
    return "EXAMPLES:\n" + examples.map { "  # \($0.purpose)\n  \($0.call)" }.joined(separator: "\n")
  }

  /// Section of the parser's help, which begins with a title in capitals.
  private struct Section {
    let title: String
    var lines: [Substring]

    /// Section without empty lines at its end.
    var text: String {
      lines.reversed().drop { $0.isEmpty }.reversed().joined(separator: "\n")
    }

    /// Section for `-h`; the overview is reduced to its first paragraph.
    var short: String {
      title == "OVERVIEW" ? lines.prefix { !$0.isEmpty }.joined(separator: "\n") : text
    }
  }

  private static func sections(of help: String) -> [Section] {
    var sections: [Section] = []
    for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
      if let title = title(of: line) {
        sections.append(Section(title: title, lines: [line]))
      } else if !sections.isEmpty {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  /// Returns the title of a line: capitals and spaces from its start up to a colon, such as `OVERVIEW`.
  private static func title(of line: Substring) -> String? {
    let title = line.prefix { $0.isUppercase || $0 == " " }
    guard let first = title.first, first != " ", title.count > 1, line.dropFirst(title.count).first == ":" else {
      return nil
    }
    return String(title)
  }
}
