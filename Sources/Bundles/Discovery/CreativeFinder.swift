import Core
import Glibc
package import Jobs

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
    for argument in arguments {
      do throws(Fault) {
        try finder.add(argument, recursive: recursive, spool: spool)
      } catch {
        finder.found.append(Found(argument: argument, result: .failure(error)))
      }
    }
    return finder.found
  }

  private mutating func add(_ argument: String, recursive: Bool, spool: Spool) throws(Fault) {
    if argument == "-" { return try addStandardInput(spool) }
    if let address = try WebAddress(argument) { return append(argument, path: nil, name: [address.slug]) }
    let status = try FileStatus.of(argument)
    guard let path = AbsolutePath.of(argument) else { throw FileStatus.fault(path: argument, error: ENOENT) }
    switch status {
    case .file: try addFile(argument, path: path, name: [AbsolutePath.stem(path).stem])
    case .folder: try addFolder(argument, path: path, recursive: recursive)
    case .special:
      throw .request("not-a-file", "\(argument.printable) is a pipe, socket or device; pipe a creative in with -")
    }
  }

  private mutating func addStandardInput(_ spool: Spool) throws(Fault) {
    guard !readsStandardInput else { throw .request("stdin-twice", "standard input can be read once only") }
    readsStandardInput = true
    let path = try spool()
    let file = try OpenFile(path: path, name: "standard input")
    guard file.size > 0 else { throw .creative("empty", "standard input is empty") }
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
      throw .creative("no-index", "\(argument.printable) has no index.html\(hint)")
    }
    let leaves = tree.leaves()
    guard !leaves.isEmpty else { throw .request("no-creatives", "no creatives in or below \(argument.printable)") }
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
