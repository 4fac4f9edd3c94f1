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
