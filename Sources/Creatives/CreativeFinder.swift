package import Core
import Glibc
package import RenderModel

/// Turns a command line's arguments into creatives; one bad argument never costs the others.
package struct CreativeFinder {
  /// One creative, or why an argument isn't one.
  package struct Found: Hashable, Sendable {
    /// As the caller wrote it; below a searched folder, that folder joined with the way down.
    package let argument: String
    package let result: Result<CreativeReference, Fault>
  }

  /// Copies standard input to a file and returns its absolute path; called at most once.
  package typealias Spool = () throws(Fault) -> String

  private var names = ResultNames()
  private var readsStandardInput = false
  private var found: [Found] = []

  /// In the order of `arguments`, folders searched by `recursive` in sorted order; names are unique within the call.
  package static func find(_ arguments: [String], recursive: Bool, spool: Spool) -> [Found] {
    var finder = CreativeFinder()
    let creatives = arguments.filter { !isOwn($0) }
    for argument in creatives.isEmpty ? arguments : creatives {
      do throws(Fault) {
        try finder.add(argument, recursive: recursive, spool: spool)
      } catch {
        finder.found.append(Found(argument: argument, result: .failure(error)))
      }
    }
    return finder.found
  }

  /// Whether it is what Galley itself leaves or reads beside creatives, which a shell's `*` names along with them.
  private static func isOwn(_ argument: String) -> Bool {
    guard let path = AbsolutePath.of(argument), ownNames.contains(AbsolutePath.split(path).name) else { return false }
    guard case .folder? = try? FileStatus.of(argument) else { return path.hasSuffix(".yaml") }
    return (try? CreativeTree(root: path).isCreative) == false
  }

  private static let ownNames: Set = [
    "galley-baselines", "galley-containers", "galley-out", "galley-verified", "galley.yaml",
  ]

  private mutating func add(_ argument: String, recursive: Bool, spool: Spool) throws(Fault) {
    if argument == "-" { return try addStandardInput(spool) }
    if let address = try WebAddress(argument) { return append(argument, path: nil, name: [address.slug]) }
    let status = try FileStatus.of(argument)
    guard let path = AbsolutePath.of(argument) else { throw FileStatus.fault(path: argument, error: ENOENT) }
    switch status {
    case .file: try addFile(argument, path: path, name: [AbsolutePath.stem(path).stem])
    case .folder: try addFolder(argument, path: path, recursive: recursive)
    case .special:
      throw .request("file-not-regular", "\(argument.printable) is a pipe, socket or device; pipe a creative in with -")
    }
  }

  private mutating func addStandardInput(_ spool: Spool) throws(Fault) {
    guard !readsStandardInput else { throw .request("stdin-reused", "standard input can be read once only") }
    readsStandardInput = true
    let path = try spool()
    let file = try OpenFile(path: path, name: "standard input")
    guard file.size > 0 else { throw .creative("creative-empty", "standard input is empty") }
    _ = try FileForm.of(file)
    append("-", path: path, name: ["stdin"])
  }

  private mutating func addFile(_ argument: String, path: String, name: [String]) throws(Fault) {
    _ = try FileForm.of(OpenFile(path: path, name: argument))
    append(argument, path: path, name: name)
  }

  private mutating func addFolder(_ argument: String, path: String, recursive: Bool) throws(Fault) {
    let tree = try CreativeTree(root: path)
    if recursive ? tree.isWholeCreative : tree.isCreative {
      return append(argument, path: path, name: [AbsolutePath.split(path).name])
    }
    if !recursive, let name = tree.onlyDocument { return try addOnlyDocument(name, of: argument, path: path) }
    guard recursive else {
      let hint = tree.hasCreatives ? "; it has creatives below: use --recursive" : ""
      throw .creative("index-missing", "\(argument.printable) has no index.html\(hint)")
    }
    let leaves = tree.leaves()
    guard !leaves.isEmpty else { throw .request("creatives-missing", "no creatives in or below \(argument.printable)") }
    for leaf in leaves { addLeaf(leaf, below: argument, root: path) }
  }

  /// A folder with one html file of another name than `index.html` is that file, under the folder's name.
  private mutating func addOnlyDocument(_ document: String, of argument: String, path: String) throws(Fault) {
    let folder = argument.hasSuffix("/") ? argument : argument + "/"
    try addFile(folder + document, path: "\(path)/\(document)", name: [AbsolutePath.split(path).name])
  }

  private mutating func addLeaf(_ leaf: CreativeTree.Leaf, below argument: String, root: String) {
    let relative = leaf.components.joined(separator: "/")
    let written = argument.hasSuffix("/") ? argument + relative : argument + "/" + relative
    let path = root == "/" ? "/" + relative : root + "/" + relative
    do throws(Fault) {
      switch leaf.form {
      case .folder: append(written, path: path, name: leaf.components)
      case .file:
        try addFile(written, path: path, name: leaf.components.dropLast() + [AbsolutePath.stem(path).stem])
      case .unreadable(let fault): throw fault
      }
    } catch {
      found.append(Found(argument: written, result: .failure(error)))
    }
  }

  private mutating func append(_ argument: String, path: String?, name: [String]) {
    let reference = CreativeReference(argument: argument, path: path, name: names.claim(name))
    found.append(Found(argument: argument, result: .success(reference)))
  }
}

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

  /// Throws `file-unreadable` when the root can't be listed.
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
