/// Which part of a batch a report is about, with what it takes to put the parts together again.
package struct ReportPart: Hashable, Sendable, Codable {
  package var shard: Shard
  /// Where each of the report's creatives stands in the whole batch, from 0, in the report's order.
  package var positions: [Int]
  /// How many creatives the whole batch has.
  package var total: Int

  package init(shard: Shard, positions: [Int], total: Int) {
    self.shard = shard
    self.positions = positions
    self.total = total
  }
}
