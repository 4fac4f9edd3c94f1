internal import Core

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
