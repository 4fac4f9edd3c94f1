internal import Core

/// Folder of the machine as a search sees it; links never lead outside it.
struct FolderTree: SearchedTree {
  private let store: FolderStore

  /// Creates a tree; throws `file-missing` if there is no folder.
  init(root: String) throws(Fault) { store = try FolderStore(root: root) }

  func content(of folder: [String]) throws(Fault) -> SearchedFolder {
    var content = SearchedFolder()
    for entry in try FolderListing(path: store.path(to: folder)).entries {
      switch entry.form {
      case .folder: content.folders.append(entry.name)
      case .file, .link: if store.locate(folder + [entry.name]) != nil { content.files.append(entry.name) }
      case .special: break
      }
    }
    return content
  }

  func head(of file: [String], most: Int) -> [UInt8]? {
    guard let path = store.locate(file), let opened = try? OpenFile(path: path) else { return nil }
    return try? opened.head(most)
  }
}
