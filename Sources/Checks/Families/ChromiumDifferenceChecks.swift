internal import Core
internal import Foundation
internal import RenderModel

/// Differences between Chromium, Android's web view, and WebKit: a check for each row of `chromium-differences.json`.
///
/// `Scripts/verify-external chromium` tries each row in both engines.
enum ChromiumDifferenceChecks {
  static let differences: ChromiumDifferences = read(PackageResources.chromium_differences_json)
  static let all: [Check] = differences.differences.map { $0.check(source: differences.source) }

  /// Profile that turns all of these checks on.
  static let profile = Profile(
    id: "chromium", title: "Chromium (Android's web view)",
    rules: differences.differences.map {
      Profile.Rule(check: $0.id, severity: $0.severity, note: "Chromium \($0.chromium)", source: differences.source)
    })

  /// Decodes rows compiled into the program; tests make sure that they can be read.
  private static func read(_ bytes: [UInt8]) -> ChromiumDifferences {
    do {
      return try JSONDecoder().decode(ChromiumDifferences.self, from: Data(bytes))
    } catch {
      preconditionFailure("chromium-differences.json can't be read: \(error)")
    }
  }
}

/// Rows, and the versions of the engines in which they were tried.
struct ChromiumDifferences: Sendable, Decodable {
  struct Tried: Sendable, Decodable {
    /// Day of the trial; the other members are the engines' versions.
    let on: String
    let chromium: String
    let webkit: String
  }

  let tried: Tried
  let differences: [ChromiumDifference]

  var source: Citation {
    Citation(
      title: "Galley: tested in Chromium \(tried.chromium) and WebKitGTK \(tried.webkit)",
      url: "urn:galley:chromium-differs",
      date: tried.on)
  }
}

/// A difference between the engines, and the pattern of code that depends on it.
struct ChromiumDifference: Sendable, Decodable {
  /// Search for code that depends on the difference.
  struct Find: Sendable, Decodable {
    /// Part of the code in which `unless` must not occur.
    enum Scope: String, Sendable, Decodable {
      /// Declarations around the match.
      case rule
      /// All of the creative's code.
      case creative
    }
    /// Words, one of which is in every match; the pattern is searched only around them.
    let hints: [String]
    let pattern: String
    /// Pattern that must occur in the creative's code too; nil for none.
    let needs: String?
    /// Pattern that shows the author knows the difference: the other spelling, a test for support; nil for none.
    let unless: String?
    let within: Scope?
  }

  let id: String
  let title: String
  let severity: Severity
  let find: Find
  /// Text of the finding, in which `{}` stands for the matched code.
  let finding: String
  let chromium: String
  let webkit: String
  let remedy: String

  func check(source: Citation) -> Check {
    Check(
      id, family: .chromiumDiffers, severity: severity, title: title,
      why: "Chromium \(chromium); WebKit \(webkit).", remedy: remedy, source: source, needs: [.code],
      needsProfile: true
    ) { context in
      let rules = context.rules(for: id)
      guard !rules.isEmpty, !context.sources.isEmpty else { return nil }
      return try issues(in: context.sources).map {
        var issue = $0
        issue.profiles = rules.map(\.profile)
        issue.severity = rules.map { $0.rule.severity ?? .error }.max()
        return issue
      }
    }
  }
}

extension ChromiumDifference {
  /// Maximum number of issues for one creative.
  private static let mostIssues = 10
  /// Maximum number of places in a file; words that occur more often are in a library's own list of names.
  private static let mostPlaces = 200
  /// Numbers of characters before and after a word that are searched.
  private static let (before, behind) = (400, 240)
  private static let longestRule = 2000

  /// Returns an issue for each different match, at its first place.
  func issues(in sources: [SourceText]) throws -> [CheckIssue] {
    var found: [CheckIssue] = []
    var known: Set<String> = []
    let pattern = try compiled(find.pattern)
    let unless = try find.unless.map(compiled)
    for source in sources {
      for match in places(in: source.text, of: pattern) where found.count < Self.mostIssues {
        if find.within == .rule, let unless, rule(around: match, in: source.text).contains(unless) { continue }
        let said = Self.plain(source.text[match])
        guard known.insert(said).inserted else { continue }
        found.append(
          CheckIssue(
            "\(finding.replacing("{}", with: said)): Chromium \(chromium); WebKit \(webkit)", subject: said,
            place: source.place(of: match.lowerBound)))
      }
    }
    guard !found.isEmpty else { return [] }
    if let needs = try find.needs.map(compiled), !sources.contains(where: { $0.text.contains(needs) }) { return [] }
    if find.within == .creative, let unless, sources.contains(where: { $0.text.contains(unless) }) { return [] }
    return found
  }

  private func compiled(_ pattern: String) throws -> Regex<AnyRegexOutput> {
    try Regex(pattern).wordBoundaryKind(.simple)
  }

  /// Returns matches around a hint, in the text's order, without those in a condition of `@supports`.
  private func places(in text: String, of pattern: Regex<AnyRegexOutput>) -> [Range<String.Index>] {
    var places: [Range<String.Index>] = []
    for hint in find.hints {
      for word in Self.ranges(of: hint, in: text) {
        let start = text.index(word.lowerBound, offsetBy: -Self.before, limitedBy: text.startIndex) ?? text.startIndex
        let end = text.index(word.upperBound, offsetBy: Self.behind, limitedBy: text.endIndex) ?? text.endIndex
        let near = text[start..<end].matches(of: pattern).map(\.range)
        guard let match = near.first(where: { $0.lowerBound <= word.lowerBound && word.lowerBound < $0.upperBound })
        else { continue }
        if !Self.isQuery(text[..<match.lowerBound]), !places.contains(match) { places.append(match) }
      }
    }
    return places.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Returns the places of a hint, searched byte by byte, as playables have megabytes.
  private static func ranges(of hint: String, in text: String) -> [Range<String.Index>] {
    let word = Array(hint.utf8)
    let places = text.utf8.withContiguousStorageIfAvailable { bytes in
      var places: [Int] = []
      var index = 0
      while index + word.count <= bytes.count, places.count < mostPlaces {
        guard bytes[index] == word[0], bytes[index..<index + word.count].elementsEqual(word) else {
          index += 1
          continue
        }
        places.append(index)
        index += word.count
      }
      return places
    }
    return (places ?? []).map { place in
      let start = text.utf8.index(text.startIndex, offsetBy: place)
      return start..<text.utf8.index(start, offsetBy: word.count)
    }
  }

  /// Indicates if the following code is the condition of an `@supports` rule.
  private static func isQuery(_ before: Substring) -> Bool {
    let near = before.suffix(200)
    guard let query = near.ranges(of: "@supports").last else { return false }
    return !near[query.upperBound...].contains { $0 == "{" || $0 == ";" }
  }

  /// Returns the declarations around a place: those of a rule, or of an element's own style.
  private func rule(around place: Range<String.Index>, in text: String) -> Substring {
    let before = text[..<place.lowerBound].suffix(Self.longestRule)
    let behind = text[place.upperBound...].prefix(Self.longestRule)
    let start = before.lastIndex { "{}<>".contains($0) }.map(text.index(after:)) ?? before.startIndex
    let end = behind.firstIndex { "{}<>".contains($0) } ?? behind.endIndex
    return text[start..<end]
  }

  /// Returns the text in one line, without the punctuation that the pattern matched at its edges.
  private static func plain(_ text: Substring) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(60)
    return String(words.drop { ";{\"', ".contains($0) }.reversed().drop { ":{\"', (=".contains($0) }.reversed())
  }
}
