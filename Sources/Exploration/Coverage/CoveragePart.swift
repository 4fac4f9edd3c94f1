/// Things of one kind that could be reached, and how often each was.
package struct CoveragePart: Hashable, Sendable {
  /// One thing.
  package struct Row: Hashable, Sendable, Encodable {
    package let name: String
    package let count: Int
  }

  package let rows: [Row]
  /// How many were reached at all.
  package var reached: Int { rows.count { $0.count > 0 } }
}

extension CoveragePart: Encodable {
  private enum CodingKeys: CodingKey { case reached, reachable, rows }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(reached, forKey: .reached)
    try container.encode(rows.count, forKey: .reachable)
    try container.encode(rows, forKey: .rows)
  }
}
