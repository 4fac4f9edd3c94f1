package import Core
internal import FoundationEssentials
internal import Glibc
package import RenderModel

/// Folder of baselines: a manifest for each, and the files that manifests refer to, stored once and named by their
/// hash.
///
/// Users who record different creatives never write to the same file, so there are no merge conflicts.
package struct BaselineStore: Hashable, Sendable {
  /// Default name of a store's folder.
  package static let folderName = "galley-baselines"
  /// Absolute path of the store.
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Parent folder, from which the creatives' paths are relative.
  package var parent: String { URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false) }

  private func manifestPath(_ key: BaselineKey) throws(Fault) -> String {
    guard key.isPlain else { throw .request("baseline-broken", "\(key.text.printable) isn't a name of a baseline") }
    return "\(path)/manifests/\(key.creative)/\(key.variant).json"
  }

  /// Returns the path of a stored file by its name, which consists of hash and extension.
  package func objectPath(_ name: String) -> String { "\(path)/objects/\(name.prefix(2))/\(name.dropFirst(2))" }

  /// Reads the manifest under a key; nil if nothing was recorded under it.
  package func manifest(_ key: BaselineKey) throws(Fault) -> BaselineManifest? {
    let file = try manifestPath(key)
    guard let bytes = try StoredFile.read(file) else { return nil }
    try DocumentVersion.check(bytes, of: file, remedy: "remove it and record the baseline again")
    guard let manifest = try? JSONDecoder().decode(BaselineManifest.self, from: Data(bytes)),
      manifest.objects.allSatisfy(Self.isObjectName), manifest.screenshots.allSatisfy({ !$0.name.contains("/") })
    else { throw .request("baseline-broken", "\(file) isn't a baseline") }
    return manifest
  }

  /// Returns true if a name consists of a hash and an extension only, since names become paths.
  private static func isObjectName(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }
    return stem.utf8.count == 64 && stem.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// Reads the contents of a stored file.
  /// - Throws: a request's fault when the file is missing or has other contents.
  package func object(_ name: String) throws(Fault) -> [UInt8] {
    guard let bytes = try StoredFile.read(objectPath(name)) else {
      throw .request("baseline-incomplete", "\(objectPath(name)) is missing")
    }
    guard name.hasPrefix(Document.hash(of: bytes)) else {
      throw .request("baseline-broken", "\(objectPath(name)) has changed since it was recorded")
    }
    return bytes
  }

  /// Stores contents and returns their hash; a file that already exists isn't written again.
  package func keep(_ bytes: [UInt8], as fileExtension: String) throws(Fault) -> String {
    let hash = Document.hash(of: bytes)
    let file = objectPath("\(hash).\(fileExtension)")
    if try StoredFile.read(file) != bytes { try write(bytes, to: file) }
    return hash
  }

  /// Makes `manifest` the baseline of `key`; the files that it refers to must already be stored.
  package func write(_ manifest: BaselineManifest, _ key: BaselineKey) throws(Fault) {
    let attributes = "\(path)/.gitattributes"
    // A line end that version control translates would be another file's.
    if try StoredFile.read(attributes) == nil { try write(Array("* -text\n".utf8), to: attributes) }
    let bytes = Document.bytes(manifest)
    let file = try manifestPath(key)
    if try StoredFile.read(file) != bytes { try write(bytes, to: file) }
  }

  /// Writes a file of the store; fails if a folder on its path is a link, which could lead outside the store.
  private func write(_ bytes: [UInt8], to file: String) throws(Fault) {
    var place = path
    for name in file.dropFirst(path.count).utf8.split(separator: UInt8(ascii: "/")) {
      place += "/\(Substring(name))"
      guard AbsolutePath.isLink(place) else { continue }
      throw .request("baseline-broken", "\(place) is a link, which a store of baselines can't contain")
    }
    try StoredFile.write(bytes, to: file)
  }

  /// Removes the manifest under a key; files that it referred to stay.
  package func remove(_ key: BaselineKey) throws(Fault) { try remove(manifestPath(key)) }

  func remove(_ path: String) throws(Fault) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw .engine("baseline-unwritable", "can't remove \(path)")
    }
  }
}

extension BaselineStore {
  /// Reads the fingerprint with which a baseline was drawn.
  package func fingerprint(of manifest: BaselineManifest) throws(Fault) -> Fingerprint {
    let name = "\(manifest.fingerprint).json"
    guard let fingerprint = try? JSONDecoder().decode(Fingerprint.self, from: Data(try object(name))) else {
      throw .request("baseline-broken", "\(objectPath(name)) isn't a fingerprint")
    }
    return fingerprint
  }

  /// Reads a baseline's event log, numbered by line.
  package func events(of manifest: BaselineManifest) throws(Fault) -> [Event] {
    let name = "\(manifest.events.sha256).ndjson"
    guard let events = NormalisedLog.events(try object(name)) else {
      throw .request("baseline-broken", "\(objectPath(name)) isn't an event log")
    }
    return events
  }
}

extension BaselineStore {
  /// Stored file that no manifest refers to.
  package struct Orphan: Hashable, Sendable {
    package let path: String
    package let bytes: Int
  }

  /// Indicates if baselines were recorded in this store.
  package var exists: Bool { FileManager.default.fileExists(atPath: "\(path)/manifests") }

  /// Returns the keys of all baselines, sorted.
  package func keys() -> [BaselineKey] {
    Self.files(below: "\(path)/manifests").compactMap { file in
      let parts = file.split(separator: "/")
      guard parts.count > 1, let name = parts.last, name.hasSuffix(".json") else { return nil }
      return BaselineKey(
        creative: parts.dropLast().joined(separator: "/"), variant: String(name.dropLast(".json".count)))
    }.sorted()
  }

  /// Returns true if the creative of a baseline still exists; always true for a URL.
  package func hasCreative(_ manifest: BaselineManifest) -> Bool {
    manifest.source.contains("://") || FileManager.default.fileExists(atPath: "\(parent)/\(manifest.source)")
  }

  /// Returns the stored files that none of the manifests refers to.
  package func orphans(of manifests: [BaselineManifest]) -> [Orphan] {
    let known = manifests.reduce(into: Set<String>()) { $0.formUnion($1.objects.map(objectPath)) }
    return Self.files(below: "\(path)/objects").map { "\(path)/objects/\($0)" }.filter { !known.contains($0) }.sorted()
      .map { Orphan(path: $0, bytes: Self.size($0)) }
  }

  package func remove(_ orphan: Orphan) throws(Fault) { try remove(orphan.path) }

  /// Total size of all files in bytes.
  package var size: Int { Self.files(below: path).reduce(0) { $0 + Self.size("\(path)/\($1)") } }

  private static func size(_ path: String) -> Int {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    return (facts?[.size] as? UInt64).map(Int.init) ?? 0
  }

  /// Returns the paths below a folder; hidden files are left out, and links aren't followed.
  private static func files(below folder: String) -> [String] {
    var found: [String] = []
    var waiting = [""]
    while let name = waiting.popLast() {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
      for entry in entries where !entry.hasPrefix(".") {
        let path = name.isEmpty ? entry : "\(name)/\(entry)"
        let type = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.type] as? FileAttributeType
        if type == .typeDirectory { waiting.append(path) }
        if type == .typeRegular { found.append(path) }
      }
    }
    return found
  }
}

/// Reads and writes files of a store; they come from version control and aren't trusted.
enum StoredFile {
  /// Maximum number of bytes read from a file, enough for a picture of the largest size.
  private static let limit = 256 << 20

  /// Reads a file; nil if it doesn't exist.
  /// - Throws: a request's fault if it isn't a readable file within the size limit.
  static func read(_ path: String) throws(Fault) -> [UInt8]? {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .request("baseline-unreadable", "can't read \(path): \(String(cString: strerror(errno)))")
    }
    guard let data = try? FileReading.regular(path, most: limit) else {
      throw .request("baseline-unreadable", "can't read \(path)")
    }
    if data.starts(with: Array("version https://git-lfs".utf8)) {
      throw .request("baseline-not-fetched", "\(path) is a Git LFS pointer: fetch the files with 'git lfs pull'")
    }
    return data
  }

  /// Writes a file atomically and creates its parent folders.
  static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
    let file = URL(filePath: path)
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: .atomic)
    } catch {
      throw .engine("baseline-unwritable", "can't write \(path)")
    }
  }
}
