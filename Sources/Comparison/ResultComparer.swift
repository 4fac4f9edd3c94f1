package import Core
internal import Creatives
package import Pixels
internal import RenderModel

/// Compares results on disk: pictures one after another, each on all processors.
package struct ResultComparer: Sendable {
  package let options: ComparisonOptions
  package let budget: DifferenceBudget
  /// Indicates if event logs, records and files are compared as well as pictures.
  package let comparesEvents: Bool

  /// Closure called for each picture that differs, with its result's name, while the differing pixels are in memory.
  package typealias Visit = @Sendable (_ screenshot: inout ScreenshotVerdict, _ result: String) throws(Fault) -> Void
  private let visit: Visit

  package init(
    options: ComparisonOptions, budget: DifferenceBudget, comparesEvents: Bool = true,
    visit: @escaping Visit = { (_, _) throws(Fault) in }
  ) {
    (self.options, self.budget, self.comparesEvents, self.visit) = (options, budget, comparesEvents, visit)
  }

  /// Compares all results of two sides and returns the verdicts sorted by name.
  /// - Throws: the error of `visit`.
  package func compare(
    _ first: [ResultListing], _ second: [ResultListing]
  ) async throws(Fault) -> [ResultVerdict] {
    let (p, q) = (Self.byName(first), Self.byName(second))
    let pairing = Pairing(first.map(\.name), second.map(\.name))
    var verdicts = pairing.onlyFirst.map { ResultVerdict(name: $0, onlyOn: .missing) }
    verdicts += pairing.onlySecond.map { ResultVerdict(name: $0, onlyOn: .new) }
    for pair in pairing.pairs {
      guard let one = p[pair.first], let other = q[pair.second] else { continue }
      verdicts.append(try await compare(one, other))
    }
    return verdicts.sorted { $0.name < $1.name }
  }

  private static func byName(_ listings: [ResultListing]) -> [String: ResultListing] {
    Dictionary(listings.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// Compares two results: the pictures, and if requested also events, outcome and files.
  private func compare(_ first: ResultListing, _ second: ResultListing) async throws(Fault) -> ResultVerdict {
    var verdict = ResultVerdict(name: first.name)
    let pairing = Pairing(pictures: first.pictures.keys.sorted(), second.pictures.keys.sorted())
    for pair in pairing.pairs {
      guard let one = first.pictures[pair.first], let other = second.pictures[pair.second] else { continue }
      var compared = try await screenshot(pair.second, one, other, of: first.name)
      if pair.first != pair.second { compared.former = pair.first }
      verdict.pictures.append(compared)
    }
    verdict.pictures += pairing.onlyFirst.map {
      ScreenshotVerdict(name: $0, verdict: .missing, first: first.pictures[$0], second: nil)
    }
    verdict.pictures += pairing.onlySecond.map {
      ScreenshotVerdict(name: $0, verdict: .new, first: nil, second: second.pictures[$0])
    }
    guard comparesEvents else { return verdict }
    do throws(Fault) {
      verdict.events = try events(first.events, second.events)
      let records = try (record(first.record), record(second.record))
      guard let one = records.0, let other = records.1 else { return verdict }
      verdict.record = ResultVerdict.changes(one, other)
      // A server may give another document each time, which one render on either side doesn't tell.
      let isAddress = [one, other].contains { $0.creative.kind == CreativeBundle.Kind.url.rawValue }
      if !isAddress { verdict.files = FileComparison(one.creative.delivered, other.creative.delivered) }
    } catch {
      verdict.problems.append(error.message)
    }
    return verdict
  }

  /// Compares two picture files of a result.
  /// - Throws: the error of `visit`.
  package func screenshot(
    _ name: String, _ first: String, _ second: String, of result: String
  ) async throws(Fault) -> ScreenshotVerdict {
    var verdict = await compared(name, first, second)
    if verdict.verdict == .different { try visit(&verdict, result) }
    // A batch has many pictures, and which pixels differ is the larger part of what is known of one.
    verdict.difference?.forgetPixels()
    return verdict
  }

  private func compared(_ name: String, _ first: String, _ second: String) async -> ScreenshotVerdict {
    do throws(PNGError) {
      let difference = try await PNGComparison.compare(path: first, path: second, options: options)
      return ScreenshotVerdict(name: name, first: first, second: second, difference: difference, budget: budget)
    } catch {
      return ScreenshotVerdict(name: name, verdict: .unreadable, first: first, second: second, problem: "\(error)")
    }
  }

  private func events(_ first: String?, _ second: String?) throws(Fault) -> EventComparison? {
    switch (first, second) {
    case (nil, nil): return nil
    case (let first?, let second?): return EventComparison(try EventLogFile.read(first), try EventLogFile.read(second))
    default: throw .request("diff-log-missing", "only one side has an event log")
    }
  }

  private func record(_ path: String?) throws(Fault) -> RenderRecord? {
    try path.map { path throws(Fault) in try RenderRecord.read(path) }
  }
}

/// Names of two sides, paired.
package struct Pairing: Hashable, Sendable {
  package struct Pair: Hashable, Sendable {
    package let first: String
    package let second: String
  }

  /// Pairs in the first side's order.
  package private(set) var pairs: [Pair] = []
  package private(set) var onlyFirst: [String] = []
  package private(set) var onlySecond: [String] = []

  /// Pairs equal names.
  package init(_ first: [String], _ second: [String]) {
    let (all, others) = (Set(first), Set(second))
    pairs = first.filter(others.contains).map { Pair(first: $0, second: $0) }
    onlyFirst = first.filter { !others.contains($0) }
    onlySecond = second.filter { !all.contains($0) }
  }

  /// Pairs pictures by their full name, then the rest by the name behind the number.
  ///
  /// An additional picture changes the numbers of all later ones.
  package init(pictures first: [String], _ second: [String]) {
    self.init(first, second)
    var waiting: [Substring: [String]] = [:]
    for name in onlySecond.reversed() { waiting[Self.unnumbered(name), default: []].append(name) }
    for name in onlyFirst {
      guard let partner = waiting[Self.unnumbered(name)]?.popLast() else { continue }
      pairs.append(Pair(first: name, second: partner))
      onlyFirst.removeAll { $0 == name }
      onlySecond.removeAll { $0 == partner }
    }
    pairs.sort { $0.first < $1.first }
  }

  /// Returns a picture's name without its number: `default.png` for `001-default.png`.
  private static func unnumbered(_ name: String) -> Substring {
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    let rest = name.dropFirst(digits.count)
    return digits.isEmpty || rest.first != "-" ? name[...] : rest.dropFirst()
  }
}
