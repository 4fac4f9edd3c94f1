import Core
import Jobs

/// A folder's files, read on demand; nothing hidden and nothing outside the folder is ever served.
struct FolderStore: BundleStore {
  /// The folder's real path, without a trailing slash (so `""` for the file system's root).
  let root: String
  /// Bytes a single file may have.
  var largestFile = BundleLimits.standard.largestFile

  /// Throws `no-such-file` when there is no folder at `root`.
  init(root: String) throws(Fault) {
    guard try FileStatus.of(root) == .folder, let real = AbsolutePath.real(root) else {
      throw .request("no-such-file", "\(root.printable): no such folder")
    }
    self.root = real == "/" ? "" : real
  }

  /// The real path of a visible regular file inside the folder; links may lead about inside, never out.
  func locate(_ components: [String]) -> String? {
    guard !components.isEmpty, components.allSatisfy(Self.isVisible),
      let real = AbsolutePath.real(path(to: components)),
      real.utf8.starts(with: "\(root)/".utf8),
      ResourcePath.split(real.utf8.dropFirst(root.utf8.count)).allSatisfy(Self.isVisible),
      (try? FileStatus.of(real)) == .file
    else { return nil }
    return real
  }

  /// Where `components` would lie, the root for none.
  func path(to components: [String]) -> String {
    root + "/" + components.joined(separator: "/")
  }

  private static func isVisible(_ component: String) -> Bool {
    !component.isEmpty && component.utf8.first != UInt8(ascii: ".") && !component.utf8.contains(UInt8(ascii: "/"))
  }

  /// Throws `file-too-large` and `not-readable`.
  func bytes(at components: [String]) throws(Fault) -> [UInt8]? {
    guard let path = locate(components), !SideFile.isSideFile(components) else { return nil }
    let file = try OpenFile(path: path)
    guard file.size <= largestFile else {
      let sizes = "\(file.size.asMegabytes), the limit is \(largestFile.asMegabytes)"
      throw .creative("file-too-large", "\(components.joined(separator: "/").printable) has \(sizes)")
    }
    return try file.contents()
  }

  /// Depth first in byte order; links count where they lead to a file inside the folder.
  func listing() throws(Fault) -> [[String]] {
    var files: [[String]] = []
    var pending: [[String]] = [[]]
    while let folder = pending.popLast() {
      for entry in try FolderListing(path: path(to: folder)).entries {
        let components = folder + [entry.name]
        switch entry.form {
        case .folder: pending.append(components)
        case .file, .link: if locate(components) != nil, !SideFile.isSideFile(components) { files.append(components) }
        case .special: break
        }
      }
    }
    return files.sorted { $0.joined(separator: "/") < $1.joined(separator: "/") }
  }
}
