package import RenderModel

/// Comparison of a creative's files as they were handed in, independent of its pictures.
package struct FileComparison: Hashable, Sendable {
  package private(set) var changes: [FileChange]

  /// Compares the files of two sides; nil if one side has no list of files, as results and baselines of older versions
  /// don't.
  package init?(_ first: DeliveredFiles?, _ second: DeliveredFiles?) {
    guard let first, let second else { return nil }
    let (p, q) = (Self.byPath(first), Self.byPath(second))
    var changes: [FileChange] = []
    // A document handed in alone may have any name.
    let isRenamed = !(first.whole && second.whole) && first.document != second.document
    if isRenamed, let one = p[first.document], let other = q[second.document] {
      changes += [FileChange(one, other)].compactMap(\.self)
    }
    for path in Set(p.keys).union(q.keys).sorted() {
      let (one, other) = (p[path], q[path])
      // Of a document handed in alone only what was asked for is known: what is on one side only is the log's to tell.
      if one == nil || other == nil, !(first.whole && second.whole) { continue }
      changes += [FileChange(one, other)].compactMap(\.self)
    }
    if changes.isEmpty, first.whole, second.whole, first.sha256 != second.sha256 {
      changes = [FileChange(path: "files beyond the list", change: .changed)]
    }
    self.changes = changes
  }

  /// Returns the comparison without the files at some paths.
  package func without(_ paths: Set<String>) -> FileComparison {
    var rest = self
    rest.changes.removeAll { paths.contains($0.path) }
    return rest
  }

  private static func byPath(_ files: DeliveredFiles) -> [String: DeliveredFiles.File] {
    Dictionary(files.files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the changes as text, such as `index.html (3 addresses), part2.html`; only the first five are named.
  package static func text(_ changes: [FileChange]) -> String {
    let named = changes.prefix(5).map(\.text).joined(separator: ", ")
    return changes.count > 5 ? "\(named) and \(changes.count - 5) more" : named
  }
}

/// Changed, new or missing file, with its addresses before and after.
package struct FileChange: Hashable, Sendable, Codable {
  package enum Change: String, Hashable, Sendable, Codable {
    case changed, new, missing
  }

  /// Address that was added, removed, or replaced by another at the same place.
  package struct Address: Hashable, Sendable, Codable {
    package let before: String?
    package let after: String?

    package var text: String { "\(before ?? "none") → \(after ?? "none")" }
  }

  package let path: String
  package let change: Change
  /// Changed addresses; nil for none.
  package let addresses: [Address]?

  init(path: String, change: Change, addresses: [Address] = []) {
    (self.path, self.change) = (path, change)
    self.addresses = addresses.isEmpty ? nil : addresses
  }

  /// Compares a file of both sides; nil if the bytes are the same or neither side has the file.
  init?(_ first: DeliveredFiles.File?, _ second: DeliveredFiles.File?) {
    guard let path = second?.path ?? first?.path, first?.sha256 != second?.sha256 else { return nil }
    let change: Change = first == nil ? .new : second == nil ? .missing : .changed
    self.init(path: path, change: change, addresses: Self.changes(first?.addresses ?? [], second?.addresses ?? []))
  }

  /// File and kind of change as text: `index.html (1 address)`, `logo.png (new)`.
  package var text: String {
    let count = addresses?.count ?? 0
    let told = count == 0 ? [] : [count == 1 ? "1 address" : "\(count) addresses"]
    let facts = (change == .changed ? [] : [change.rawValue]) + told
    return facts.isEmpty ? path : "\(path) (\(facts.joined(separator: ", ")))"
  }

  /// Lines with the changed addresses: `index.html: https://a.example → https://b.example`.
  package var lines: [String] { (addresses ?? []).map { "\(path): \($0.text)" } }

  /// Returns the first `most` changes with at most that many addresses in total, to bound what is stored.
  package static func first(_ most: Int, of changes: [FileChange]) -> [FileChange] {
    var left = most
    return changes.prefix(most).map { change in
      let addresses = (change.addresses ?? []).prefix(left)
      left -= addresses.count
      return FileChange(path: change.path, change: change.change, addresses: Array(addresses))
    }
  }

  /// Pairs a removed and an added address at the same place, so that a replaced address is one change.
  private static func changes(_ before: [String], _ after: [String]) -> [Address] {
    var (inserted, removed) = ([Int: String](), [Int: String]())
    for step in after.difference(from: before) {
      switch step {
      case .insert(let offset, let address, _): inserted[offset] = address
      case .remove(let offset, let address, _): removed[offset] = address
      }
    }
    var (addresses, p, q) = ([Address](), 0, 0)
    while p < before.count || q < after.count {
      let (gone, come) = (removed[p], inserted[q])
      if gone == nil, come == nil {
        (p, q) = (p + 1, q + 1)
        continue
      }
      addresses.append(Address(before: gone, after: come))
      if gone != nil { p += 1 }
      if come != nil { q += 1 }
    }
    return addresses
  }
}
