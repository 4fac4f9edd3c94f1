internal import FoundationEssentials
package import Jobs

/// A folder of baselines: a manifest for each, and the files they refer to, each once and named by its contents.
///
/// Two who record different creatives never touch the same file, so version control has nothing to merge.
package struct BaselineStore: Hashable, Sendable {
  /// Absolute.
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The folder that creatives' paths go from.
  package var parent: String { URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false) }

  private func manifestPath(_ key: BaselineKey) -> String { "\(path)/manifests/\(key.creative)/\(key.variant).json" }

  /// Where a file of this name and contents is.
  package func objectPath(_ name: String) -> String { "\(path)/objects/\(name.prefix(2))/\(name.dropFirst(2))" }

  /// Nil when nothing was recorded under the key.
  package func manifest(_ key: BaselineKey) throws(Fault) -> BaselineManifest? {
    guard let bytes = try StoredFile.read(manifestPath(key)) else { return nil }
    guard let manifest = try? JSONDecoder().decode(BaselineManifest.self, from: Data(bytes)), manifest.schema == 1,
      manifest.objects.allSatisfy(Self.isObjectName), manifest.pictures.allSatisfy({ !$0.name.contains("/") })
    else { throw .request("baseline-broken", "\(manifestPath(key)) is no baseline") }
    return manifest
  }

  /// Names become paths, so they hold a hash and nothing else.
  private static func isObjectName(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }
    return stem.utf8.count == 64 && stem.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// The contents that a name stands for.
  /// - Throws: a request's fault when the file is missing or has other contents.
  package func object(_ name: String) throws(Fault) -> [UInt8] {
    guard let bytes = try StoredFile.read(objectPath(name)) else {
      throw .request("baseline-incomplete", "\(objectPath(name)) is missing")
    }
    guard name.hasPrefix(Document.hash(of: bytes)) else {
      throw .request("baseline-broken", "\(objectPath(name)) isn't what was recorded")
    }
    return bytes
  }

  /// Keeps contents and returns their hash; what is there already isn't written again.
  package func keep(_ bytes: [UInt8], as fileExtension: String) throws(Fault) -> String {
    let hash = Document.hash(of: bytes)
    let file = objectPath("\(hash).\(fileExtension)")
    if try StoredFile.read(file) != bytes { try StoredFile.write(bytes, to: file) }
    return hash
  }

  /// Makes `manifest` the baseline of `key`; what it refers to has to be there.
  package func write(_ manifest: BaselineManifest, _ key: BaselineKey) throws(Fault) {
    let attributes = "\(path)/.gitattributes"
    // A line end that version control translates would be another file's.
    if try StoredFile.read(attributes) == nil { try StoredFile.write(Array("* -text\n".utf8), to: attributes) }
    let bytes = Document.bytes(manifest)
    if try StoredFile.read(manifestPath(key)) != bytes { try StoredFile.write(bytes, to: manifestPath(key)) }
  }

  /// Removes what was recorded under a key; files it referred to stay.
  package func remove(_ key: BaselineKey) throws(Fault) { try remove(manifestPath(key)) }

  func remove(_ path: String) throws(Fault) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw .engine("baseline-unwritable", "\(path) can't be removed")
    }
  }
}
