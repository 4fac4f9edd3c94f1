internal import Comparison
internal import Core
internal import Creatives
internal import Foundation
internal import RenderModel
internal import Scheduling

/// Stores an uploaded creative in a folder of its own, under a name chosen by the server.
struct CreativeUploader {
  let data: DataFolder
  let blobs: BlobStore

  /// A stored creative, not yet under the render's own path.
  struct Taken {
    /// The folder that becomes the render's.
    let folder: RenderFolder
    /// The file in it; nil for an address.
    let file: String?
    /// Identity of the creative: its SHA-256, or that of its address.
    let content: String
  }

  /// Stores the creative of a request and opens it, so that an invalid one is rejected at once.
  func acceptUpload(_ creative: Creative, of request: RenderRequest) throws(Problem) -> Taken {
    let folder = RenderFolder(data.newScratch())
    let file: String
    do throws(Fault) {
      switch creative {
      case .address:
        guard request.entry == nil else { throw Self.entryWithoutZip }
        try make(folder.path)
        _ = try CreativeBundle.open(request.reference(to: nil))
        return Taken(folder: folder, file: nil, content: creative.hash)
      case .bytes(let bytes), .zip(let bytes):
        try make(folder.creative)
        file = Self.file(bytes[...], fileName: creative.fileName)
        try DurableFile.write(bytes, to: "\(folder.creative)/\(file)")
      case .file(let spooled, let fileName):
        try make(folder.creative)
        file = Self.file(spooled.beginning[...], fileName: fileName)
        try DurableFile.move(spooled.path, to: "\(folder.creative)/\(file)")
      case .again(let id): throw .engine(.dataLost, "the creative of render '\(id)' wasn't loaded")
      }
    } catch {
      throw Problem(error)
    }
    return try keep(file, in: folder, creative, request)
  }

  /// Opens the stored file, and adds it to the store of contents if it is valid.
  ///
  /// If it is a zip of several creatives, the problem lists them.
  private func keep(
    _ file: String, in folder: RenderFolder, _ creative: Creative, _ request: RenderRequest
  ) throws(Problem) -> Taken {
    let path = "\(folder.creative)/\(file)"
    do throws(Fault) {
      let reference = request.reference(to: path)
      guard request.entry == nil || file == Self.zip else { throw Self.entryWithoutZip }
      _ = try CreativeBundle.open(reference, searches: false)
      if request.scenario == nil { _ = try OwnScenario.of(reference) }
      try blobs.adopt(path, hash: creative.hash)
    } catch {
      var problem = Problem(Fault(error.origin == .request ? .creative : error.origin, error.code, error.message))
      if request.entry == nil { problem.entries = ZipEntries.creatives(in: path) }
      discard(folder)
      throw problem
    }
    return Taken(folder: folder, file: file, content: creative.hash)
  }

  private static let entryWithoutZip =
    Fault.creative("entry-without-zip", "entry names a file in a zip, and the creative is none")

  /// Removes a creative that wasn't accepted after all.
  func discard(_ folder: RenderFolder) { try? FileManager.default.removeItem(atPath: folder.path) }

  private func make(_ path: String) throws(Fault) {
    do {
      try PrivateFolder.make(path)
    } catch {
      throw .engine("data-failed", "can't make the folder \(path): \(error)")
    }
  }

  /// Name of a file that is a zip.
  private static let zip = "creative.zip"

  /// A file name from which the creative's type is known. Only the type is taken from the sender's name.
  static func file(_ bytes: ArraySlice<UInt8>, fileName: String?) -> String {
    if bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6]) { return zip }
    let name = fileName?.lowercased() ?? ""
    if name.hasSuffix(".zip") { return zip }
    if name.hasSuffix(".html") || name.hasSuffix(".htm") { return "index.html" }
    return name.hasSuffix(".js") ? "creative.js" : "markup"
  }
}

/// A creative in the form in which a request carries it.
package enum Creative: Hashable, Sendable {
  /// Markup without a file name.
  case bytes([UInt8])
  /// Bytes that the sender declares to be a zip.
  case zip([UInt8])
  /// A file that was written to the disk as it arrived, and its sender's name for it; nil if it has none.
  case file(SpooledFile, name: String?)
  case address(String)
  /// The creative of another render by its id, which is resolved before anything is stored.
  case again(String)

  /// Identity of the creative: the SHA-256 of the uploaded bytes, or of the address.
  package var hash: String {
    switch self {
    case .bytes(let bytes), .zip(let bytes): Document.hash(of: bytes)
    case .file(let file, _): file.hash
    case .address(let text), .again(let text): Document.hash(of: Array(text.utf8))
    }
  }

  /// A file name that shows the type declared by the sender; nil if there is none.
  var fileName: String? {
    switch self {
    case .zip: "creative.zip"
    case .file(_, let name): name
    case .bytes, .address, .again: nil
    }
  }
}
