import Glibc
import Jobs

/// A folder searched for creatives: sorted, hidden entries skipped, links never leaving it.
struct CreativeTree {
  /// One creative below the root, or a folder that couldn't be searched.
  struct Leaf {
    enum Form {
      case folder, file
      case unreadable(Fault)
    }
    /// The way down from the root.
    let components: [String]
    let form: Form
  }

  private let store: FolderStore

  /// Throws `not-readable` when the root can't be listed.
  init(root: String) throws(Fault) {
    store = try FolderStore(root: root)
    _ = try FolderListing(path: root)
  }

  /// Whether the root is itself a creative.
  var isCreative: Bool { isCreative([]) }

  /// Whether a search finds the root alone.
  var isWholeCreative: Bool {
    let leaves = leaves(from: [[]], stopsAtFirst: true)
    if case .folder? = leaves.first?.form { return leaves[0].components.isEmpty }
    return false
  }

  /// Whether a folder below is one: it has a page, or else an ad server's answer under one of its names.
  private func isCreative(_ folder: [String]) -> Bool { hasPage(folder) || !answers(in: folder).isEmpty }

  private func hasPage(_ folder: [String]) -> Bool { store.locate(folder + ["index.html"]) != nil }

  /// The ad servers' answers in a folder.
  private func answers(in folder: [String]) -> [[String]] {
    ResponseForm.documentNames.map { folder + [$0] }.filter { store.locate($0) != nil }
  }

  /// The name of the folder's own html file, where it has one, no zip and no folder that could hold another.
  var onlyDocument: String? {
    guard let names = try? names(in: []), names.count == 1, let name = names.first, !name.hasSuffix(".zip") else {
      return nil
    }
    return store.locate([name]) == nil ? nil : name
  }

  /// Whether `leaves()` would find a creative; stops at the first.
  var hasCreatives: Bool { hasCreatives(below: [[]]) }

  private func hasCreatives(below ways: [[String]]) -> Bool {
    leaves(from: ways, stopsAtFirst: true).contains { if case .unreadable = $0.form { false } else { true } }
  }

  /// Every creative below, depth first in sorted order; a creative's own folders aren't searched.
  func leaves() -> [Leaf] { leaves(from: [[]]) }

  private func leaves(from ways: [[String]], stopsAtFirst: Bool = false) -> [Leaf] {
    var leaves: [Leaf] = []
    var pending = ways
    while let folder = pending.popLast() {
      if hasPage(folder) {
        leaves.append(Leaf(components: folder, form: .folder))
      } else if let leaf = fileLeaf(folder) {
        leaves.append(leaf)
      } else {
        do throws(Fault) {
          let below = try names(in: folder).reversed().map { folder + [$0] }
          let answers = answers(in: folder)
          if answers.isEmpty {
            pending.append(contentsOf: below)
          } else if hasCreatives(below: below) {
            // An answer among other creatives is one of them; it makes the folder a creative only where it is alone.
            leaves += answers.map { Leaf(components: $0, form: .file) }
            pending.append(contentsOf: below)
          } else {
            leaves.append(Leaf(components: folder, form: .folder))
          }
        } catch {
          leaves.append(Leaf(components: folder, form: .unreadable(error)))
          continue
        }
      }
      if stopsAtFirst, !leaves.isEmpty { break }
    }
    return leaves
  }

  /// The leaf for an html or zip file queued like a folder, nil for a folder.
  private func fileLeaf(_ components: [String]) -> Leaf? {
    guard let name = components.last, store.locate(components) != nil, Self.isCandidate(name) else { return nil }
    return Leaf(components: components, form: .file)
  }

  /// What to look at in a folder: its folders (never through a link) and its html and zip files.
  private func names(in folder: [String]) throws(Fault) -> [String] {
    try FolderListing(path: store.path(to: folder)).entries.filter { entry in
      switch entry.form {
      case .folder: true
      case .file, .link: Self.isCandidate(entry.name) && store.locate(folder + [entry.name]) != nil
      case .special: false
      }
    }.map(\.name)
  }

  private static func isCandidate(_ name: String) -> Bool {
    ["html", "htm", "zip"].contains(AbsolutePath.stem(name).fileExtension)
  }
}
