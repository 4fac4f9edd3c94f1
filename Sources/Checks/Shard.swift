package import Core

/// Share of a batch for one of several machines, as `2/5`.
///
/// A creative's share depends only on its name, so that it stays the same when others are added or removed; in return
/// the shares are only equal on average.
package struct Shard: Hashable, Sendable, Codable {
  /// Number of the share, from 1.
  package let number: Int
  package let count: Int

  /// Creates a share; nil unless `number` is from 1 to `count`.
  package init?(number: Int, count: Int) {
    guard count >= 1, (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Parses `2/5`; nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(number: number, count: count)
  }

  /// Indicates if a creative, by the name of its result, belongs to this share.
  package func contains(_ name: String) -> Bool { Self.hash(name) % UInt64(count) == UInt64(number - 1) }

  /// Returns FNV-1a with 64 bits, its high half folded into the low; the same on every machine and in every release.
  private static func hash(_ name: String) -> UInt64 {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { (hash: UInt64, byte) in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return hash ^ hash >> 32
  }
}

/// Part of a batch that a report covers, and the data needed to join the parts.
package struct ReportPart: Hashable, Sendable, Codable {
  /// Share that the report covers.
  package var shard: Shard
  /// Position in the whole batch, from 0, of each verdict's creative; the same on all its devices.
  package var positions: [Int]
  /// Number of creatives in the whole batch, regardless of the number of devices.
  package var total: Int

  package init(shard: Shard, positions: [Int], total: Int) {
    self.shard = shard
    self.positions = positions
    self.total = total
  }
}

extension CheckReport {
  /// Joins the reports of all shares, in any order; throws if they are incomplete or differ in rules or batches.
  package init(joining reports: [CheckReport]) throws(Fault) {
    let parts = try Self.parts(reports)
    guard let first = reports.first else {
      throw .request("shards-missing", "there is no report to join")
    }
    try Self.checkComplete(parts)
    for other in reports.dropFirst() {
      guard other.galley == first.galley, other.rules == first.rules, other.profiles == first.profiles,
        other.failsOn == first.failsOn, other.strict == first.strict, other.policy?.sha256 == first.policy?.sha256
      else {
        throw .request("shards-differ", "the parts were checked by different rules, profiles, policies or releases")
      }
    }
    self = first
    creatives = try Self.creatives(reports, parts)
    part = nil
  }

  /// Returns the verdicts in the batch's order; those of one creative on several devices come from one part.
  private static func creatives(
    _ reports: [CheckReport], _ parts: [ReportPart]
  ) throws(Fault) -> [CreativeReport] {
    var places = [[CreativeReport]](repeating: [], count: parts[0].total)
    for (report, part) in zip(reports, parts) {
      var own = [[CreativeReport]](repeating: [], count: part.total)
      for (creative, position) in zip(report.creatives, part.positions) { own[position].append(creative) }
      for (position, verdicts) in own.enumerated() where !verdicts.isEmpty {
        guard places[position].isEmpty else { throw .request("shards-differ", "two parts contain \(verdicts[0].name)") }
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
        throw .request("report-unsharded", "a report wasn't made with --shard, so it can't be joined")
      }
      let isSound =
        part.positions.count == report.creatives.count
        && part.positions.allSatisfy { (0..<part.total).contains($0) }
      guard isSound else { throw .request("report-unreadable", "the report of shard \(part.shard) is inconsistent") }
      parts.append(part)
    }
    return parts
  }

  /// Checks that every share occurs once, and that all are of the same batch.
  private static func checkComplete(_ parts: [ReportPart]) throws(Fault) {
    let count = parts[0].shard.count
    guard parts.allSatisfy({ $0.shard.count == count && $0.total == parts[0].total }) else {
      throw .request("shards-differ", "the parts are of different batches")
    }
    let numbers = Set(parts.map(\.shard.number))
    let missing = (1...count).filter { !numbers.contains($0) }
    guard missing.isEmpty else {
      throw .request(
        "shards-missing", "the report of shard \(missing.map { "\($0)/\(count)" }.joined(separator: ", ")) is missing")
    }
    guard numbers.count == parts.count else { throw .request("shards-differ", "a shard is given twice") }
  }
}

extension Shard: CustomStringConvertible {
  package var description: String { "\(number)/\(count)" }
}
