package import Core

/// One of several machines' share of a batch: `2/5`.
///
/// A creative's share follows from its name alone, so that it stays where it is when others come or go; in return the
/// shares are even on average only.
package struct Shard: Hashable, Sendable, Codable {
  /// From 1.
  package let number: Int
  package let count: Int

  /// Nil unless `number` is from 1 to `count`.
  package init?(number: Int, count: Int) {
    guard count >= 1, (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Reads `2/5`; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(number: number, count: count)
  }

  /// Whether a creative, by the name of its result, is among this share.
  package func contains(_ name: String) -> Bool { Self.hash(name) % UInt64(count) == UInt64(number - 1) }

  /// FNV-1a with 64 bits, its high half folded into the low: the same on every machine and in every release.
  private static func hash(_ name: String) -> UInt64 {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { (hash: UInt64, byte) in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return hash ^ hash >> 32
  }
}

/// Which part of a batch a report is about, with what it takes to put the parts together again.
package struct ReportPart: Hashable, Sendable, Codable {
  /// The share it is.
  package var shard: Shard
  /// Where the creative of each verdict stands in the whole batch, from 0; the same on all its devices.
  package var positions: [Int]
  /// How many creatives the whole batch has, however many devices each is tried on.
  package var total: Int

  package init(shard: Shard, positions: [Int], total: Int) {
    self.shard = shard
    self.positions = positions
    self.total = total
  }
}

extension CheckReport {
  /// The report on the whole batch, from those on each of its shares in any order.
  package init(joining reports: [CheckReport]) throws(Fault) {
    let parts = try Self.parts(reports)
    guard let first = reports.first else {
      throw .request("shards-missing", "there is no report to join")
    }
    try Self.checkComplete(parts)
    for other in reports.dropFirst() {
      guard other.galley == first.galley, other.rules == first.rules, other.profiles == first.profiles,
        other.failsOn == first.failsOn
      else {
        throw .request("shards-differ", "the parts were checked by different rules, profiles or releases")
      }
    }
    self = first
    creatives = try Self.creatives(reports, parts)
    part = nil
  }

  /// In the whole batch's order; a creative's verdicts on several devices all come from one part.
  private static func creatives(
    _ reports: [CheckReport], _ parts: [ReportPart]
  ) throws(Fault) -> [CreativeReport] {
    var places = [[CreativeReport]](repeating: [], count: parts[0].total)
    for (report, part) in zip(reports, parts) {
      var own = [[CreativeReport]](repeating: [], count: part.total)
      for (creative, position) in zip(report.creatives, part.positions) { own[position].append(creative) }
      for (position, verdicts) in own.enumerated() where !verdicts.isEmpty {
        guard places[position].isEmpty else { throw .request("shards-differ", "two parts have \(verdicts[0].name)") }
        places[position] = verdicts
      }
    }
    let missing = places.count(where: \.isEmpty)
    guard missing == 0 else {
      throw .request("shards-differ", "\(missing) of \(places.count) creatives are in no part")
    }
    return places.flatMap(\.self)
  }

  private static func parts(_ reports: [CheckReport]) throws(Fault) -> [ReportPart] {
    var parts: [ReportPart] = []
    for report in reports {
      guard let part = report.part else {
        throw .request("report-unsharded", "a report isn't of a shard: only what --shard left can be joined")
      }
      let isSound =
        part.positions.count == report.creatives.count
        && part.positions.allSatisfy { (0..<part.total).contains($0) }
      guard isSound else { throw .request("report-unreadable", "the report of shard \(part.shard) contradicts itself") }
      parts.append(part)
    }
    return parts
  }

  /// Every share once, and all of the same batch.
  private static func checkComplete(_ parts: [ReportPart]) throws(Fault) {
    let count = parts[0].shard.count
    guard parts.allSatisfy({ $0.shard.count == count && $0.total == parts[0].total }) else {
      throw .request("shards-differ", "the parts are of different batches")
    }
    let numbers = Set(parts.map(\.shard.number))
    let missing = (1...count).filter { !numbers.contains($0) }
    guard missing.isEmpty else {
      throw .request("shards-missing", "no report of shard \(missing.map { "\($0)/\(count)" }.joined(separator: ", "))")
    }
    guard numbers.count == parts.count else { throw .request("shards-differ", "a shard is given twice") }
  }
}

extension Shard: CustomStringConvertible {
  package var description: String { "\(number)/\(count)" }
}
