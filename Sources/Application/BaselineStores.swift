package import Comparison
package import Core
internal import Creatives
internal import FoundationEssentials
internal import Glibc

/// Stores that a call works on.
package struct BaselineStores {
  package let stores: [BaselineStore]
  /// Maximum number of folders searched.
  private static let most = 20_000

  /// Opens the store in `folder`, or all stores that lie below other folders.
  /// - Throws: a request's fault when there is none.
  package init(folder: String?, below folders: [String]) throws(Fault) {
    let places = folder.map { [AbsolutePath.resolved($0)] } ?? Self.found(below: folders.isEmpty ? ["."] : folders)
    stores = places.map(BaselineStore.init).filter(\.exists)
    guard !stores.isEmpty else {
      let place = folder ?? (folders.isEmpty ? "here" : folders.joined(separator: ", "))
      throw .request("baselines-missing", "there are no baselines in or below \(place)")
    }
  }

  private static func found(below folders: [String]) -> [String] {
    var (found, waiting, looked) = (Set<String>(), folders.map(AbsolutePath.resolved), 0)
    while let folder = waiting.popLast(), looked < most {
      looked += 1
      if folder.hasSuffix("/" + BaselineLocation.folderName) {
        found.insert(folder)
        continue
      }
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !name.hasPrefix(".") {
        let path = "\(folder)/\(name)"
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        if type == .typeDirectory { waiting.append(path) }
      }
    }
    return found.sorted()
  }
}

/// Parts of the last verification to approve.
package struct ApprovalSelector {
  /// Verifications to approve, each with its parts, or nil for all parts.
  package let chosen: [(approval: Approval, parts: Set<String>?)]

  /// Verification of a creative, and the names that patterns may match.
  private struct Verified {
    let approval: Approval
    let names: [String]

    /// Returns the parts that a pattern matches, an inner nil for the whole, and an outer nil if it doesn't match.
    func fitting(_ pattern: String) -> Set<String>?? {
      if names.contains(where: { ApprovalSelector.fits(pattern, $0) }) { return .some(nil) }
      let parts = approval.candidate.parts.map(\.name).filter { part in
        names.contains { ApprovalSelector.fits(pattern, "\($0):\(part)") }
      }
      return parts.isEmpty ? nil : .some(Set(parts))
    }
  }

  /// Returns a hint with similar names, or with the existing names.
  private static func hint(_ pattern: String, _ verified: [Verified]) -> String {
    // Variants of a creative share its name.
    var names: [String] = []
    for name in verified.flatMap(\.names) where !names.contains(name) { names.append(name) }
    let near = Suggestion.likely(for: pattern, among: names)
    if !near.isEmpty { return "; did you mean \(near.prefix(3).joined(separator: ", "))?" }
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    return names.isEmpty ? "" : "; there are \(names.prefix(5).joined(separator: ", "))\(more)"
  }

  /// - Parameter baselines: the folder of baselines if the caller named one.
  /// - Throws: a request's fault when there was no verification or a pattern fits nothing of it.
  package init(patterns: [String], out: String, baselines: String?) throws(Fault) {
    let verified = try Self.verified(out, baselines.map(AbsolutePath.resolved))
    var chosen: [Int: Set<String>?] = [:]
    for pattern in patterns {
      let fitting = verified.indices.compactMap { index in
        verified[index].fitting(pattern).map { (index: index, parts: $0) }
      }
      guard !fitting.isEmpty else {
        throw .request(
          "baseline-unmatched", "nothing verified matches '\(pattern)'\(Self.hint(pattern, verified))")
      }
      for (index, parts) in fitting {
        let before = chosen[index] ?? []
        chosen[index] = .some(before.flatMap { before in parts.map { before.union($0) } })
      }
    }
    self.chosen = verified.indices.compactMap { index in chosen[index].map { (verified[index].approval, $0) } }
  }

  private static func verified(_ out: String, _ baselines: String?) throws(Fault) -> [Verified] {
    let nothing = Fault.request(
      "verification-missing", "\(out) contains no verified results: run 'baseline verify' first")
    guard FileManager.default.fileExists(atPath: out) else { throw nothing }
    var found: [Verified] = []
    for listing in try ResultTree.results(below: out) {
      guard let approval = try Approval.read(listing.path, baselines: baselines) else { continue }
      let key = approval.candidate.key
      found.append(Verified(approval: approval, names: [listing.name, key.creative, key.text]))
    }
    guard !found.isEmpty else { throw nothing }
    return found
  }

  /// Matches a shell pattern in which a star also matches slashes.
  private static func fits(_ pattern: String, _ text: String) -> Bool { fnmatch(pattern, text, 0) == 0 }
}

/// Baseline whose creative no longer exists in a folder that was verified as a whole.
package struct MissingCreative: Encodable, Sendable {
  package let key: BaselineKey
  package let store: String
  /// Former path of the creative, from the store's parent folder.
  package let source: String

  package var line: String { "\(key.text): \(source) no longer exists" }

  /// Returns the missing creatives whose path lay in or below `folders`.
  ///
  /// Files among the arguments are ignored, since a call that names single creatives may leave some out.
  package static func found(below folders: [String], baselines: String?) -> [MissingCreative] {
    let roots = folders.filter { !$0.contains("://") && $0 != "-" }.map(AbsolutePath.resolved)
      .filter(AbsolutePath.isFolder)
    guard !roots.isEmpty, let stores = try? BaselineStores(folder: baselines, below: roots).stores else { return [] }
    return stores.flatMap { store in
      store.keys().compactMap { key in
        // What is broken is told by 'list' and by verifying its creative.
        guard let manifest = try? store.manifest(key), !store.hasCreative(manifest) else { return nil }
        let path = URL(filePath: "\(store.parent)/\(manifest.source)").standardized.path(percentEncoded: false)
        guard roots.contains(where: { path.hasPrefix($0 == "/" ? $0 : $0 + "/") }) else { return nil }
        return MissingCreative(key: key, store: store.path, source: manifest.source)
      }
    }
  }
}

/// Baselines and files of stores that are no longer needed.
package struct BaselinePruning {
  /// Removed baselines and files, as printed.
  package private(set) var removed: [String] = []
  package private(set) var bytes = 0

  /// Removes baselines whose creative is gone, then files that no baseline refers to; `isTrial` only finds them.
  package init(_ stores: BaselineStores, isTrial: Bool) throws(Fault) {
    for store in stores.stores {
      var kept: [BaselineManifest] = []
      for key in store.keys() {
        // One that can't be read throws: its files mustn't be taken for nobody's.
        guard let manifest = try store.manifest(key) else { continue }
        if store.hasCreative(manifest) {
          kept.append(manifest)
        } else {
          removed.append("\(store.path): \(key.text)")
          if !isTrial { try store.remove(key) }
        }
      }
      for orphan in store.orphans(of: kept) {
        removed.append(orphan.path)
        bytes += orphan.bytes
        if !isTrial { try store.remove(orphan) }
      }
    }
  }
}
