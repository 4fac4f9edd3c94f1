internal import Baselines
internal import Comparison
internal import Glibc
internal import Jobs

/// What of the last verification is to be approved.
struct BaselineChoice {
  /// What to approve of each creative: parts, or nil for all.
  let chosen: [(approval: Approval, parts: Set<String>?)]

  /// A creative's verification, and the names patterns may fit.
  private struct Verified {
    let approval: Approval
    let names: [String]

    /// What a pattern fits: parts, or nil for the whole; nothing when it doesn't fit.
    func fitting(_ pattern: String) -> Set<String>?? {
      if names.contains(where: { BaselineChoice.fits(pattern, $0) }) { return .some(nil) }
      let parts = approval.candidate.parts.map(\.name).filter { part in
        names.contains { BaselineChoice.fits(pattern, "\($0):\(part)") }
      }
      return parts.isEmpty ? nil : .some(Set(parts))
    }
  }

  /// - Throws: a request's fault when there was no verification or a pattern fits nothing of it.
  init(patterns: [String], out: String) throws(Fault) {
    let verified = try Self.verified(out)
    var chosen: [Int: Set<String>?] = [:]
    for pattern in patterns {
      let fitting = verified.indices.compactMap { index in
        verified[index].fitting(pattern).map { (index: index, parts: $0) }
      }
      guard !fitting.isEmpty else { throw .request("baseline-no-match", "nothing that was verified fits '\(pattern)'") }
      for (index, parts) in fitting {
        let before = chosen[index] ?? []
        chosen[index] = .some(before.flatMap { before in parts.map { before.union($0) } })
      }
    }
    self.chosen = verified.indices.compactMap { index in chosen[index].map { (verified[index].approval, $0) } }
  }

  private static func verified(_ out: String) throws(Fault) -> [Verified] {
    var found: [Verified] = []
    for listing in try ResultTree.results(below: out) {
      guard let approval = try Approval.read(listing.path) else { continue }
      let key = approval.candidate.key
      found.append(Verified(approval: approval, names: [listing.name, key.creative, key.text]))
    }
    guard !found.isEmpty else {
      throw .request("baseline-nothing-verified", "\(out) holds nothing that was verified: run 'baseline verify' first")
    }
    return found
  }

  /// A shell's pattern, in which a star fits slashes too.
  private static func fits(_ pattern: String, _ text: String) -> Bool { fnmatch(pattern, text, 0) == 0 }
}
