internal import Core

/// What a part of an ad's load comes to; the host's own script isn't counted.
package struct LoadWeight: Hashable, Sendable, Codable {
  package var requests: Int
  /// As sent, files of the creative as they are.
  package var bytes: Int
  /// The same with the creative's own text files compressed: an estimate.
  package var compressed: Int

  package init(requests: Int = 0, bytes: Int = 0, compressed: Int = 0) {
    self.requests = requests
    self.bytes = bytes
    self.compressed = compressed
  }

  /// The sum of these.
  package init(_ resources: some Sequence<MeasuredResource>) {
    self.init()
    for resource in resources where resource.isWeight {
      requests += 1
      bytes = Bounded.sum(bytes, resource.bytes)
      compressed = Bounded.sum(compressed, resource.compressed)
    }
  }
}
