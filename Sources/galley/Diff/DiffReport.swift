internal import Comparison

/// Everything one `galley diff` found.
struct DiffReport {
  let first: String
  let second: String
  let results: [ResultVerdict]

  var status: ExitStatus { results.allSatisfy { $0.verdict == .same } ? .pass : .findings }
}
