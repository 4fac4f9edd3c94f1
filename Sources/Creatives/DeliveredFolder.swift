internal import Core

/// Folder delivered with a creative, whose files don't determine how the creative is rendered or judged.
package struct DeliveredFolder: Hashable, Sendable {
  /// Real path of the folder that is delivered with the creative; nil for a zip, and for a searched folder.
  package let folder: String?
  /// Real path of the first folder that isn't delivered.
  package let outside: String

  /// Reads a call's argument; nil for an address, for standard input, and for a missing file.
  ///
  /// A page is delivered with the folder it lies in, unless the call is made in that folder.
  /// - Parameters:
  ///   - searches: true if the call searches for creatives in folders, of which its argument is the uppermost.
  ///   - here: real path of the folder in which the call is made.
  package init?(of argument: String, searches: Bool, here: String) {
    guard argument != "-", !argument.contains("://"), let status = try? FileStatus.of(argument),
      let parent = Self.parent(of: argument)
    else { return nil }
    switch status {
    case .special: return nil
    case .folder:
      guard let real = AbsolutePath.real(argument) else { return nil }
      let isSearched = searches && (try? CreativeTree(FolderTree(root: real)).search(mostLeaves: 2).isWhole) == false
      (folder, outside) = isSearched ? (nil, real) : (real, parent)
    case .file:
      let isWhole = parent == here || Self.isZip(argument)
      // By the way that the caller wrote: a folder behind a link lies among others' folders.
      let above = isWhole ? nil : Self.parent(of: AbsolutePath.split(argument).parent)
      (folder, outside) = isWhole ? (nil, parent) : (parent, above ?? AbsolutePath.split(parent).parent)
    }
  }

  /// Returns true if a folder is delivered with a creative in it, as it contains a page or an ad server's answer.
  package static func holdsCreative(_ folder: String) -> Bool {
    guard let listing = try? FolderListing(path: folder) else { return false }
    return listing.entries.contains { entry in
      guard entry.form == .file || entry.form == .link else { return false }
      return ["html", "htm"].contains(AbsolutePath.stem(entry.name).fileExtension)
        || ResponseForm.documentNames.contains(entry.name)
    }
  }

  /// Returns the real folder that contains a path as the caller wrote it, even if its last part is a link.
  private static func parent(of argument: String) -> String? {
    let (parent, name) = AbsolutePath.split(argument)
    guard name.isEmpty || name == "." || name == ".." else { return AbsolutePath.real(parent) }
    return AbsolutePath.real(argument).map { AbsolutePath.split($0).parent }
  }

  private static func isZip(_ path: String) -> Bool {
    guard let file = try? OpenFile(path: path, name: path) else { return false }
    return (try? FileForm.of(file)) == .zip
  }
}
