internal import Comparison
internal import Core
internal import Creatives
internal import Foundation
internal import RenderModel

/// Takes a creative in: onto the disk, into a folder of its own, under a name of ours.
struct CreativeUploader {
  let data: DataFolder
  let blobs: BlobStore

  /// What was taken in, not yet under the render's own path.
  struct Taken {
    /// The folder that becomes the render's.
    let folder: RenderFolder
    /// The file in it; nil for an address.
    let file: String?
    /// What the creative is known by: its SHA-256, or that of its address.
    let content: String
  }

  /// Writes a creative and opens it, so that one that can't be is refused at once.
  ///
  /// `playsOwn` when the scenario that it brings along is to be played.
  func acceptUpload(_ creative: Creative, name: String, playsOwn: Bool = false) throws(Problem) -> Taken {
    do throws(Fault) {
      let folder = RenderFolder(data.newScratch())
      switch creative {
      case .address(let address):
        try make(folder.path)
        _ = try CreativeBundle.open(CreativeReference(argument: address, path: nil, name: name))
        return Taken(folder: folder, file: nil, content: creative.hash)
      case .bytes(let bytes):
        try make(folder.creative)
        let file = Self.file(bytes[...], fileName: nil)
        try DurableFile.write(bytes, to: "\(folder.creative)/\(file)")
        return try keep(file, in: folder, creative, name, playsOwn)
      case .file(let spooled, let fileName):
        try make(folder.creative)
        let file = Self.file(spooled.beginning[...], fileName: fileName)
        try DurableFile.move(spooled.path, to: "\(folder.creative)/\(file)")
        return try keep(file, in: folder, creative, name, playsOwn)
      case .again(let id): throw .engine("data-lost", "nobody looked for the creative of \(id)")
      }
    } catch {
      throw Problem(error)
    }
  }

  /// Opens what lies in its folder by now, and keeps it unless it can't be.
  private func keep(
    _ file: String, in folder: RenderFolder, _ creative: Creative, _ name: String, _ playsOwn: Bool
  ) throws(Fault) -> Taken {
    let path = "\(folder.creative)/\(file)"
    do throws(Fault) {
      let reference = CreativeReference(argument: name, path: path, name: name)
      _ = try CreativeBundle.open(reference)
      if playsOwn { _ = try OwnScenario.of(reference) }
    } catch {
      discard(folder)
      throw Fault(error.origin == .request ? .creative : error.origin, error.code, error.message)
    }
    try blobs.adopt(path, hash: creative.hash)
    return Taken(folder: folder, file: file, content: creative.hash)
  }

  /// Removes what wasn't accepted after all.
  func discard(_ folder: RenderFolder) { try? FileManager.default.removeItem(atPath: folder.path) }

  private func make(_ path: String) throws(Fault) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .engine("data-failed", "can't make the folder \(path): \(error.localizedDescription)")
    }
  }

  /// A name by which the creative is opened as what it is; nothing of the sender's but the kind goes into it.
  static func file(_ bytes: ArraySlice<UInt8>, fileName: String?) -> String {
    if bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6]) { return "creative.zip" }
    let name = fileName?.lowercased() ?? ""
    if name.hasSuffix(".zip") { return "creative.zip" }
    if name.hasSuffix(".html") || name.hasSuffix(".htm") { return "index.html" }
    return name.hasSuffix(".js") ? "creative.js" : "markup"
  }

  /// The file of a creative that was taken in before; nil for an address.
  static func file(in folder: RenderFolder) -> String? {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.creative))?.first
  }
}

/// A creative as it came with a request.
package enum Creative: Hashable, Sendable {
  /// Markup or a small zip, of which nobody said what it is called.
  case bytes([UInt8])
  /// What was written to the disk as it came, and what its sender called it; nil for what has no name.
  case file(SpooledFile, name: String?)
  case address(String)
  /// What another render was of, by its id; looked up before anything is taken in.
  case again(String)

  /// What tells it from others: the SHA-256 of what was delivered.
  package var hash: String {
    switch self {
    case .bytes(let bytes): Document.hash(of: bytes)
    case .file(let file, _): file.hash
    case .address(let text), .again(let text): Document.hash(of: Array(text.utf8))
    }
  }
}
