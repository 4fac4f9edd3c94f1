package import Core
internal import FoundationEssentials

/// Counts of the processes that died under each creative on any machine, in a bucket of values.
package struct LossCounts: Sendable {
  private let bucket: KeyValueBucket

  init(_ bucket: KeyValueBucket) { self.bucket = bucket }

  /// Counts a process that died under a creative; returns all losses of the creative.
  package func count(_ cause: String, reason: String, of content: String) async throws(Fault) -> Losses {
    let name = Self.name(of: content)
    for _ in 0..<Retrying.mostWrites {
      let known = try await entry(content)
      var losses = known?.losses ?? Losses()
      losses.add(cause, reason)
      guard let bytes = try? JSONText.bytes(losses) else { return losses }
      do throws(Fault) {
        if let known {
          try await bucket.update(name, bytes, revision: known.revision)
        } else {
          try await bucket.create(name, bytes)
        }
        return losses
      } catch let error where error.has(.natsRevisionDiffers) {
        continue
      }
    }
    throw Retrying.busy("the count of deaths")
  }

  /// Returns the losses of a creative; nil if there are none.
  func known(of content: String) async throws(Fault) -> Losses? { try await entry(content)?.losses }

  /// Returns the losses of a creative on any server, which may be slightly outdated; nil if there are none.
  func glance(of content: String) async throws(Fault) -> Losses? {
    try await bucket.glance(Self.name(of: content)).flatMap(Self.read)?.losses
  }

  /// Deletes the losses of a creative, so that it is rendered again.
  package func forget(_ content: String) async throws(Fault) { try await bucket.remove(Self.name(of: content)) }

  private func entry(_ content: String) async throws(Fault) -> (losses: Losses, revision: UInt64)? {
    let entry = try await Retrying.run { () throws(Fault) in try await self.bucket.get(Self.name(of: content)) }
    return entry.flatMap(Self.read)
  }

  private static func read(_ entry: KeyValueEntry) -> (losses: Losses, revision: UInt64)? {
    // What is no count is written over.
    entry.bytes.map { ((try? JSONDecoder().decode(Losses.self, from: Data($0))) ?? Losses(), entry.revision) }
  }

  private static func name(of content: String) -> String { SHA256.of(content).hex }
}
