internal import Bundles
internal import Checks
internal import Exploration
internal import FoundationEssentials
internal import Jobs

/// Reads a creative's own files for the checks that look at them.
enum InventoryReader {
  /// Files of a document's that are followed, and bytes of text that are looked at.
  private static let mostFiles = 200
  private static let longestText = 2_000_000

  /// What was delivered; nil for an address and for what can't be opened.
  static func read(_ reference: CreativeReference) -> Inventory? {
    guard let bundle = try? CreativeBundle.open(reference), let entry = bundle.entry else { return nil }
    let files: [Inventory.File]
    if let paths = try? bundle.paths() {
      // A file that can't be read costs its own line only: the render tells what it did to the ad.
      files = paths.compactMap { path in (try? bundle.resource(path: escaped(path)))?.map { file($0.path, $0) } }
    } else {
      files = reachable(from: entry, in: bundle)
    }
    let path = reference.path ?? reference.argument
    return Inventory(
      kind: bundle.kind.rawValue, name: path.split(separator: "/").last.map(String.init) ?? path,
      packed: bundle.kind == .zip ? size(of: path) : nil, entry: entry.path, files: files)
  }

  /// The document, and what it and its files name.
  private static func reachable(from entry: BundleResource, in bundle: CreativeBundle) -> [Inventory.File] {
    var files = [file(entry.path, entry)]
    var known: Set<String> = [entry.path]
    var next = 0
    while next < files.count, files.count < mostFiles {
      let current = files[next]
      next += 1
      guard let text = current.text else { continue }
      let folder = current.path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      for name in References.files(in: text) {
        guard let found = try? bundle.resource(path: folder + name), known.insert(found.path).inserted else { continue }
        files.append(file(found.path, found))
      }
    }
    return files.sorted { $0.path < $1.path }
  }

  private static func file(_ path: String, _ resource: BundleResource) -> Inventory.File {
    let isText = ["text/html", "text/javascript", "text/css", "image/svg+xml"].contains(resource.mimeType)
    let isData = path.split(separator: ".").last.map { dataEndings.contains($0.lowercased()) } ?? false
    let text = isText || isData ? String(decoding: resource.bytes.prefix(longestText), as: UTF8.self) : nil
    return Inventory.File(
      path: path, bytes: resource.bytes.count, text: isText ? text : nil, names: isText ? nil : text)
  }

  /// Files of engines and authoring tools that name the pictures and sounds that belong to them.
  private static let dataEndings: Set<String> = [
    "json", "atlas", "fnt", "plist", "xml", "txt", "gltf", "tmx", "csv", "webmanifest",
  ]

  /// A file's name as an address.
  private static func escaped(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23")
  }

  private static func size(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }
}
