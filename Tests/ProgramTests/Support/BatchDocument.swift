import Jobs

/// What `galley render --json` prints, as far as tests look at it.
struct BatchDocument: Decodable {
  struct Summary: Decodable {
    let total: Int
    let exitCode: Int32
  }
  let results: [RenderRecord]
  let summary: Summary

  /// How each creative ended: its code, or the outcome when there is none.
  var endings: [String: String] {
    Dictionary(results.map { ($0.creative.path, $0.code ?? $0.outcome.rawValue) }, uniquingKeysWith: { $1 })
  }
}
