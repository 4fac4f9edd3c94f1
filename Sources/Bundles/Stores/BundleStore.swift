import Jobs

/// Where a creative's bytes come from; paths are normalised components below the creative's root.
protocol BundleStore: Sendable {
  /// Nil when there is no such file in the creative.
  func bytes(at components: [String]) throws(Fault) -> [UInt8]?
  /// The way down to each file, sorted; files of Galley's own left out.
  func listing() throws(Fault) -> [[String]]
}

/// A creative of one document and nothing beside it.
struct EmptyStore: BundleStore {
  func bytes(at components: [String]) -> [UInt8]? { nil }
  func listing() -> [[String]] { [] }
}
