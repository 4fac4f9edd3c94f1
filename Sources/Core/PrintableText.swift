/// Foreign texts, and whole outputs that hold some, made harmless for terminals, logs and build servers.
package enum PrintableText {
  /// Maximum number of scalars shown of a foreign text.
  package static let limit = 2_000

  /// Reduces a text to one line: no control or formatting characters, no commands of build servers.
  static func line(_ text: String, limit: Int) -> String {
    if text.utf8.count <= limit, isPlain(text.utf8) { return text }
    var kept = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      guard let scalar = shown(scalar) else { continue }
      count += 1
      if count > limit {
        kept.removeLast()
        kept.append("…")
        break
      }
      kept.append(scalar)
    }
    return withoutCommands(String(kept))
  }

  /// Cleans an output of many lines of any origin; `colours` keeps the terminal sequences that Galley itself writes.
  package static func output(_ text: String, colours: Bool) -> String {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = String(line)
      if isPlain(line.utf8) { return line }
      return withoutCommands(colours ? cleanedBetweenSequences(line) : cleaned(line.unicodeScalars[...]))
    }.joined(separator: "\n")
  }

  /// JSON with escapes for everything that a terminal or build server would act on; it decodes to the same value.
  package static func json(_ text: String) -> String {
    if text.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F || $0 == 0x0A) && $0 != UInt8(ascii: "#") }) { return text }
    var written = ""
    written.reserveCapacity(text.utf8.count)
    var before: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      // Signs stand in strings only, so an escape means the same.
      let beginsCommand = scalar == "#" && before == "#"
      if scalar == "\n" || shown(scalar) == scalar && !beginsCommand {
        written.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 { written += escape(unit) }
      }
      before = scalar
    }
    return written
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// The replacement for a scalar: a space for one that breaks a line or controls a terminal, nil for an invisible one.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.value >= 0x20, scalar.value < 0x7F { return scalar }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return " "
    // Words of some scripts and families of emoji are written with these two.
    case .format: return scalar == "\u{200C}" || scalar == "\u{200D}" ? scalar : nil
    default: return scalar
    }
  }

  private static func cleaned(_ text: Substring.UnicodeScalarView) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text { if let scalar = shown(scalar) { kept.append(scalar) } }
    return String(kept)
  }

  /// Keeps carriage returns, colours, and the two sequences by which live lines are redrawn.
  private static func cleanedBetweenSequences(_ line: String) -> String {
    var text = ""
    var rest = Substring(line)
    while let match = rest.firstMatch(
      of: /\u{1B}\[(?:[0-9;]{0,16}m|[0-9]{1,4}A|J)|\r/.matchingSemantics(.unicodeScalar))
    {
      text += cleaned(rest[..<match.range.lowerBound].unicodeScalars) + match.output
      rest = rest[match.range.upperBound...]
    }
    return text + cleaned(rest.unicodeScalars)
  }

  /// Breaks up GitHub's workflow commands at the beginning, and service messages of Azure and TeamCity anywhere.
  private static func withoutCommands(_ line: String) -> String {
    var line = line
    let start = line.unicodeScalars.prefix { $0.properties.isWhitespace }.endIndex
    if line.unicodeScalars[start...].starts(with: "::".unicodeScalars) {
      line.unicodeScalars.insert(" ", at: line.unicodeScalars.index(after: start))
    }
    guard line.utf8.contains(UInt8(ascii: "#")) else { return line }
    return line.replacing(/##(?<word>[A-Za-z]{0,32}\[)/.matchingSemantics(.unicodeScalar)) { "# #\($0.output.word)" }
  }

  /// Indicates if the line consists of ASCII characters that need no replacement.
  private static func isPlain(_ bytes: String.UTF8View) -> Bool {
    bytes.first != UInt8(ascii: " ") && bytes.first != UInt8(ascii: ":")
      && bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
  }
}

extension StringProtocol {
  /// One line that is only text to a terminal, a log and a build server, cut to `PrintableText.limit` scalars.
  package var printable: String { printable(limit: PrintableText.limit) }

  /// The same with at most `limit` scalars; the last is an ellipsis if some are missing.
  package func printable(limit: Int) -> String { PrintableText.line(String(self), limit: limit) }
}

extension Unicode.Scalar {
  /// True for a scalar that draws nothing and may change the appearance of its neighbours.
  package var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}

extension [String] {
  /// The first five in one line, and how many more there are.
  package var listed: String {
    let more = count > 5 ? " and \(count - 5) more" : ""
    return prefix(5).map { $0.printable(limit: 100) }.joined(separator: ", ") + more
  }
}
