package import Core

/// Parts of a request that are ignored when its recorded answer is searched, written by the user in the file.
///
/// `ignore query t,cb,rnd`, `ignore query * on *.example`, `ignore body field n,user.id`, `ignore body on HOST`.
package struct MatchRule: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    /// Parameters of the query by name; all for nil.
    case query(Set<String>?)
    /// Fields of a body: dotted names in JSON, names in a form; the whole body for nil.
    case body(Set<String>?)
  }

  package let part: Part
  /// Hosts that it concerns, with `*` for any text; nil for all.
  package let host: String?
  /// Text of the rule as it was written.
  package let text: String

  /// Parses a rule; the error lists the allowed forms.
  package init(parsing text: String) throws(Fault) {
    let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
    self.text = words.joined(separator: " ")
    let on = words.firstIndex(of: "on")
    host = on.flatMap { $0 + 1 == words.count - 1 ? words[$0 + 1].lowercased() : nil }
    let subject = Array(words[..<(on ?? words.count)])
    guard on == nil || host != nil, subject.first == "ignore" else { throw Self.fault(text) }
    switch subject.dropFirst().first {
    case "query" where subject.count == 3: part = .query(Self.names(subject[2]))
    case "body" where subject.count == 2: part = .body(nil)
    case "body" where subject.count == 4 && subject[2] == "field": part = .body(Self.names(subject[3]) ?? [])
    default: throw Self.fault(text)
    }
  }

  /// Parses one rule per line; empty lines and those that begin with # are ignored.
  package static func all(in text: String) throws(Fault) -> [MatchRule] {
    var rules: [MatchRule] = []
    for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) && line.first != "#" {
      rules.append(try MatchRule(parsing: String(line)))
    }
    return rules
  }

  private static func names(_ list: String) -> Set<String>? {
    list == "*" ? nil : Set(list.split(separator: ",").map(String.init))
  }

  private static func fault(_ text: String) -> Fault {
    .request(
      "recording-rule-invalid",
      "'\(text)' isn't a rule: write 'ignore query NAME,NAME', 'ignore body' or 'ignore body field NAME', "
        + "optionally with 'on HOST'"
    )
  }
}

/// Patterns with `*` for any text; case is ignored.
enum Glob {
  static func matches(_ pattern: some StringProtocol, _ text: some StringProtocol) -> Bool {
    let parts = pattern.lowercased().split(separator: "*", omittingEmptySubsequences: false)
    var rest = Substring(text.lowercased())
    guard let first = parts.first, rest.hasPrefix(first) else { return false }
    rest = rest.dropFirst(first.count)
    guard parts.count > 1 else { return rest.isEmpty }
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}
