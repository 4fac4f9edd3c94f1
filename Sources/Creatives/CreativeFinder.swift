package import Core
import Glibc
package import RenderModel

/// Finder of the creatives named by a command line's arguments; a bad argument doesn't affect the others.
package struct CreativeFinder {
  /// Creative, or the reason why an argument isn't one.
  package struct Found: Hashable, Sendable {
    /// Argument as the caller wrote it; below a searched folder, that folder joined with the path below it.
    package let argument: String
    package let result: Result<CreativeReference, Fault>
  }

  /// Function that copies standard input to a file and returns its absolute path; called at most once.
  package typealias Spool = () throws(Fault) -> String

  /// Result of a search: the creatives of a call's arguments, and similar files that were left out.
  package struct Search: Sendable {
    package fileprivate(set) var found: [Found] = []
    /// Files and folders that look like creatives and aren't rendered by themselves, as the caller would write them.
    package fileprivate(set) var leftOut: [String] = []
  }

  /// Creatives found so far, with their names' components.
  private var named: [Named] = []
  private var readsStandardInput = false
  private var search = Search()

  /// Finds creatives in the order of `arguments`, those of folders searched by `recursive` sorted.
  ///
  /// Names are unique within the call.
  package static func find(_ arguments: [String], recursive: Bool, spool: Spool) -> [Found] {
    search(arguments, recursive: recursive, spool: spool).found
  }

  /// Finds creatives and also returns similar files that were left out.
  package static func search(_ arguments: [String], recursive: Bool, spool: Spool) -> Search {
    var finder = CreativeFinder()
    for argument in creatives(among: arguments) {
      do throws(Fault) {
        try finder.add(argument, recursive: recursive, spool: spool)
      } catch {
        finder.search.found.append(Found(argument: argument, result: .failure(error)))
      }
    }
    finder.assignNames()
    return finder.search
  }

  /// Returns the arguments without Galley's own files, unless there are no others.
  package static func creatives(among arguments: [String]) -> [String] {
    let creatives = arguments.filter { !isOwn($0) }
    return creatives.isEmpty ? arguments : creatives
  }

  /// Indicates if an argument is a file or folder that Galley itself leaves or reads beside creatives.
  ///
  /// A shell's `*` includes these as well.
  private static func isOwn(_ argument: String) -> Bool {
    guard let path = AbsolutePath.of(argument), ownNames.contains(AbsolutePath.split(path).name) else { return false }
    guard case .folder? = try? FileStatus.of(argument) else { return path.hasSuffix(".yaml") }
    return (try? CreativeTree(FolderTree(root: path)).isCreative) == false
  }

  private static let ownNames = CreativeTree.own.union(["galley.yaml"])

  private mutating func add(_ argument: String, recursive: Bool, spool: Spool) throws(Fault) {
    if argument == "-" { return try addStandardInput(spool) }
    if let address = try WebAddress(argument) { return append(argument, path: nil, name: [address.slug]) }
    if let (zip, inner) = Self.partOfZip(argument), let path = AbsolutePath.of(zip) {
      let name = AbsolutePath.stem(AbsolutePath.split(inner).name).stem
      return append(argument, path: path, inner: inner, name: [AbsolutePath.stem(path).stem, name])
    }
    let status = try FileStatus.of(argument)
    guard let path = AbsolutePath.of(argument) else { throw FileStatus.fault(path: argument, error: ENOENT) }
    switch status {
    case .file: try addFile(argument, path: path, name: [AbsolutePath.stem(path).stem], recursive: recursive)
    case .folder: try addFolder(argument, path: path, recursive: recursive)
    case .special:
      throw .request(
        "file-not-regular",
        "\(argument.printable) is a pipe, socket or device; use - to read a creative from standard input")
    }
  }

  /// Splits a path into a zip like `many.zip/banner`, as a search returns it; nil for any other argument.
  private static func partOfZip(_ argument: String) -> (zip: String, inner: String)? {
    guard let range = argument.firstRange(of: ".zip/") else { return nil }
    let zip = String(argument[..<argument.index(before: range.upperBound)])
    let inner = ResourcePath.normalise(String(argument[range.upperBound...])).joined(separator: "/")
    guard !inner.isEmpty, case .file? = try? FileStatus.of(zip) else { return nil }
    return (zip, inner)
  }

  private mutating func addStandardInput(_ spool: Spool) throws(Fault) {
    guard !readsStandardInput else { throw .request("stdin-reused", "standard input can be read only once") }
    readsStandardInput = true
    let path = try spool()
    let file = try OpenFile(path: path, name: "standard input")
    guard file.size > 0 else { throw .creative("creative-empty", "standard input is empty") }
    _ = try FileForm.of(file)
    append("-", path: path, name: ["stdin"])
  }

  private mutating func addFile(
    _ argument: String, path: String, name: [String], recursive: Bool
  ) throws(Fault) {
    let form = try FileForm.of(OpenFile(path: path, name: argument))
    guard recursive, form == .zip, let several = CreativeFindings.several(in: path, name: argument) else {
      return append(argument, path: path, name: name)
    }
    for leaf in several.leaves {
      let inner = leaf.components.joined(separator: "/")
      let own = Array(leaf.components.dropLast()) + [AbsolutePath.stem(leaf.components.last ?? "").stem]
      append(Self.joined(argument, inner), path: path, inner: inner, name: name + own)
    }
    search.leftOut += several.leftOut.map { Self.joined(argument, $0.joined(separator: "/")) }
  }

  private mutating func addFolder(_ argument: String, path: String, recursive: Bool) throws(Fault) {
    let tree = try CreativeTree(FolderTree(root: path))
    let findings = tree.search(mostLeaves: recursive ? .max : Self.mostCounted)
    if findings.isWhole {
      append(argument, path: path, name: [AbsolutePath.split(path).name])
    } else if recursive {
      guard !findings.leaves.isEmpty else {
        throw .request("creatives-missing", "no creatives in or below \(argument.printable)")
      }
      for leaf in findings.leaves { addLeaf(leaf, below: argument, root: path) }
    } else if let name = findings.onlyFile {
      try addOnlyFile(name, of: argument, path: path)
    } else {
      throw .creative("index-missing", "\(argument.printable) has no index.html\(findings.hint)")
    }
    search.leftOut += findings.leftOut.map { Self.joined(argument, $0.joined(separator: "/")) }
  }

  /// Maximum number of creatives below a folder that are counted for a message.
  private static let mostCounted = 1_000

  /// Adds the only creative file of a folder, of another name than `index.html`, under the folder's name.
  private mutating func addOnlyFile(_ file: String, of argument: String, path: String) throws(Fault) {
    let name = AbsolutePath.split(path).name
    try addFile(Self.joined(argument, file), path: "\(path)/\(file)", name: [name], recursive: false)
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private mutating func addLeaf(_ leaf: CreativeTree.Leaf, below argument: String, root: String) {
    let relative = leaf.components.joined(separator: "/")
    let written = Self.joined(argument, relative)
    let path = root == "/" ? "/" + relative : root + "/" + relative
    do throws(Fault) {
      switch leaf.form {
      case .folder: append(written, path: path, name: leaf.components)
      case .file:
        let name = Array(leaf.components.dropLast()) + [AbsolutePath.stem(path).stem]
        try addFile(written, path: path, name: name, recursive: true)
      case .unreadable(let fault): throw fault
      }
    } catch {
      search.found.append(Found(argument: written, result: .failure(error)))
    }
  }

  private mutating func append(_ argument: String, path: String?, inner: String? = nil, name: [String]) {
    named.append(Named(place: search.found.count, path: path, inner: inner, name: name))
    let reference = CreativeReference(argument: argument, path: path, inner: inner, name: "")
    search.found.append(Found(argument: argument, result: .success(reference)))
  }

  /// Names the creatives; those of one name are told apart by the folders that contain them, in any order of arguments.
  private mutating func assignNames() {
    let equal = Dictionary(grouping: named.indices) { named[$0].name.map(SafeName.make) }
    for places in equal.values where places.count > 1 { tellApart(places) }
    var names = ResultNames()
    for creative in named {
      guard case .success(let reference) = search.found[creative.place].result else { continue }
      let argument = search.found[creative.place].argument
      let own = CreativeReference(
        argument: argument, path: reference.path, inner: reference.inner, name: names.claim(creative.name))
      search.found[creative.place] = Found(argument: argument, result: .success(own))
    }
  }

  /// Adds as many folders to the names of creatives as make them different; none if all are the same creative.
  private mutating func tellApart(_ places: [Int]) {
    let paths = Set(places.map { [named[$0].path, named[$0].inner] })
    guard paths.count > 1 else { return }
    let depths = 1...Self.mostFolders
    let enough = depths.first { depth in Set(places.map { named[$0].name(withFolders: depth) }).count == paths.count }
    for place in places { named[place].name = named[place].name(withFolders: enough ?? depths.upperBound) }
  }

  /// Maximum number of folders that tell creatives of one name apart.
  private static let mostFolders = 4

  /// A creative that was found, before its name is known.
  private struct Named {
    /// Index among the search's results.
    let place: Int
    let path: String?
    let inner: String?
    /// Components of the name.
    var name: [String]

    /// Returns the components with those of the nearest folders before them that they don't contain yet.
    func name(withFolders count: Int) -> [String] {
      guard let path else { return name }
      var folders = Array(ResourcePath.normalise(path).dropLast(inner == nil ? name.count : 1))
      if folders.last == name.first { folders.removeLast() }
      return folders.suffix(count) + name
    }
  }
}
