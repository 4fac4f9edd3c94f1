internal import Baselines
internal import Comparison
internal import Glibc
internal import Jobs

/// What of the last verification is to be approved.
struct BaselineChoice {
  /// What to approve of each creative: parts, or nil for all.
  let chosen: [(approval: Approval, parts: Set<String>?)]

  /// - Throws: a request's fault when there was no verification or a pattern fits nothing of it.
  init(patterns: [String], out: String) throws(Fault) {
    var approvals: [(name: String, approval: Approval)] = []
    for listing in try ResultTree.results(below: out) {
      if let approval = try Approval.read(listing.path) { approvals.append((listing.name, approval)) }
    }
    guard !approvals.isEmpty else {
      throw .request("baseline-nothing-verified", "\(out) holds nothing that was verified: run 'baseline verify' first")
    }
    var whole: Set<Int> = []
    var parts: [Int: Set<String>] = [:]
    for pattern in patterns {
      var isFitting = false
      for (index, (name, approval)) in approvals.enumerated() {
        let names = [name, approval.candidate.key.creative, approval.candidate.key.text]
        if names.contains(where: { Self.fits(pattern, $0) }) {
          whole.insert(index)
          isFitting = true
        }
        let fitting = approval.candidate.parts.map(\.name).filter { part in
          names.contains { Self.fits(pattern, "\($0):\(part)") }
        }
        if !fitting.isEmpty {
          parts[index, default: []].formUnion(fitting)
          isFitting = true
        }
      }
      guard isFitting else { throw .request("baseline-no-match", "nothing that was verified fits '\(pattern)'") }
    }
    chosen = approvals.enumerated().compactMap { index, item in
      if whole.contains(index) { return (item.approval, nil) }
      return parts[index].map { (item.approval, $0) }
    }
  }

  /// A shell's pattern, in which a star fits slashes too.
  private static func fits(_ pattern: String, _ text: String) -> Bool { fnmatch(pattern, text, 0) == 0 }
}
