internal import Comparison

/// Everything one `galley diff` found.
struct DiffReport {
  let first: String
  let second: String
  let results: [ResultVerdict]
  /// The folder of the diff pictures, when they were asked for.
  var pictures: String?

  var status: ExitStatus { results.allSatisfy { $0.verdict == .same } ? .pass : .findings }
}
