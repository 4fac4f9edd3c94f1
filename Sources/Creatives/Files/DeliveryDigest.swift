internal import Core
package import RenderModel
internal import Synchronization

/// Files of a creative that a render requested, with their digests.
///
/// For a document among other files, its own files aren't known otherwise.
final class ServedFiles: Sendable {
  private let files = Mutex<[String: DeliveredFiles.File]>([:])
  /// Document that the server of an address returned.
  private let given = Mutex<DeliveredFiles.File?>(nil)

  /// Records a file as it is served, up to `DeliveredFiles.mostFiles`; further requests for the same path change
  /// nothing.
  func note(_ resource: BundleResource) {
    note(resource.path) { DeliveredFiles.File(resource.path, resource.bytes) }
  }

  /// Records the file that a server returned for a path, in the same way.
  func note(_ path: String, _ file: () -> DeliveredFiles.File) {
    files.withLock { files in
      guard files[path] == nil, files.count < DeliveredFiles.mostFiles else { return }
      files[path] = file()
    }
  }

  /// Records the document of an address; it replaces that of an earlier load.
  func note(document: DeliveredFiles.File) { given.withLock { $0 = document } }

  /// Document of an address; nil as long as it isn't known.
  var document: DeliveredFiles.File? { given.withLock { $0 } }

  /// Returns all recorded files, except the document.
  func all(but document: String) -> [DeliveredFiles.File] {
    files.withLock { files in files.values.filter { $0.path != document } }
  }
}

extension CreativeBundle {
  /// Records the document that an address returned, as received; does nothing for other kinds.
  package func note(document bytes: [UInt8]) {
    guard kind == .url, let url, let address = try? WebAddress(url) else { return }
    served.note(
      document: DeliveredFiles.File(
        path: address.fileName, sha256: SHA256.of(bytes).hex, addresses: AddressScan.addresses(in: bytes)))
  }

  /// Records a file that the server of an address returned; does nothing for other kinds.
  /// - Parameter path: the file's path on the server with its query, without the first slash.
  package func note(file bytes: [UInt8], type: String, at path: String) {
    guard kind == .url else { return }
    served.note(path) {
      let addresses = MediaType.isText(type) ? AddressScan.addresses(in: bytes) : []
      return DeliveredFiles.File(path: path, sha256: SHA256.of(bytes).hex, addresses: addresses)
    }
  }

  /// Returns the path of an address with its query, without the first slash; nil unless it has the document's origin.
  package static func path(of address: String, besides document: String) -> String? {
    func split(_ text: String) -> (origin: Substring, rest: Substring)? {
      guard let start = text.firstRange(of: "://")?.upperBound else { return nil }
      let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
      return (text[..<end], text[end...].prefix { $0 != "#" })
    }
    guard let one = split(address), let other = split(document), one.origin == other.origin else { return nil }
    return String(one.rest.drop { $0 == "/" })
  }

  /// Digests of the creative's files: all of a folder or zip, otherwise the document's and those of requested files.
  ///
  /// It is nil for an address whose document is unknown. A file that can't be read is left out of the list.
  package var delivered: DeliveredFiles? {
    if kind == .url {
      return served.document.map { document in
        let found = [document] + served.all(but: document.path)
        return Self.delivered(Self.sorted(found), document: document.path, isWhole: false)
      }
    }
    guard let sha256 else { return nil }
    var found: [DeliveredFiles.File] = []
    var isWhole = false
    let path = document ?? entry?.path ?? "response"
    if kind == .folder || kind == .zip, let paths = try? store.listing() {
      isWhole = true
      for way in paths {
        guard let bytes = (try? store.bytes(at: way)) ?? nil else {
          isWhole = false
          continue
        }
        found.append(DeliveredFiles.File(way.joined(separator: "/"), bytes))
      }
    } else {
      let bytes = response?.bytes ?? entry?.bytes ?? []
      found = [DeliveredFiles.File(path: path, sha256: sha256, addresses: AddressScan.addresses(in: bytes))]
      found += served.all(but: path)
    }
    return Self.delivered(Self.sorted(found), document: path, isWhole: isWhole)
  }

  private static func sorted(_ files: [DeliveredFiles.File]) -> [DeliveredFiles.File] {
    files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private static func delivered(
    _ found: [DeliveredFiles.File], document: String, isWhole: Bool
  ) -> DeliveredFiles {
    let list = found.map { "\($0.path)\0\($0.sha256)\n" }.joined()
    return DeliveredFiles(
      sha256: SHA256.of(Array(list.utf8)).hex, whole: isWhole, document: document, files: bounded(found))
  }

  private static func bounded(_ files: [DeliveredFiles.File]) -> [DeliveredFiles.File] {
    var left = DeliveredFiles.mostAddressesInAll
    return files.prefix(DeliveredFiles.mostFiles).map { file in
      let addresses = (file.addresses ?? []).prefix(left)
      left -= addresses.count
      return DeliveredFiles.File(path: file.path, sha256: file.sha256, addresses: Array(addresses))
    }
  }
}

extension DeliveredFiles.File {
  fileprivate init(_ path: String, _ bytes: [UInt8]) {
    let isText = MediaType.isText(MediaType.of(path: path))
    self.init(
      path: path, sha256: SHA256.of(bytes).hex, addresses: isText ? AddressScan.addresses(in: bytes) : [])
  }
}

/// Search for addresses in text of any language: `https://…`, `market://…`, `tel:…`.
enum AddressScan {
  /// Maximum number of bytes that are searched in a file.
  private static let mostBytes = 4 << 20
  /// Maximum number of bytes kept of an address.
  private static let longest = 500
  /// Schemes without slashes that a click may lead to.
  private static let plain = ["tel", "sms", "mailto"]

  /// Returns the addresses in the order of occurrence, each once.
  static func addresses(in bytes: [UInt8]) -> [String] {
    var (found, known) = ([String](), Set<String>())
    let text = bytes.prefix(mostBytes)
    var index = text.startIndex
    while let colon = text[index...].firstIndex(of: UInt8(ascii: ":")), found.count < DeliveredFiles.mostAddresses {
      index = colon + 1
      guard let start = start(of: text, before: colon, after: index) else { continue }
      var end = text[index...].firstIndex { !isPart($0) } ?? text.endIndex
      // What ends a section of characters in XML is no part of what it holds.
      if end < text.endIndex, text[end] == UInt8(ascii: ">"), text[index..<end].suffix(2).elementsEqual("]]".utf8) {
        end -= 2
      }
      // What follows the slashes, or the colon, has to be something.
      guard end - index > 2 else { continue }
      let address = String(decoding: text[start..<min(end, start + longest)], as: UTF8.self)
      if known.insert(address).inserted { found.append(address) }
      index = end
    }
    return found
  }

  /// Returns the start of the scheme before a colon; nil if there is no scheme, or if no address follows.
  private static func start(of text: ArraySlice<UInt8>, before colon: Int, after next: Int) -> Int? {
    var start = colon
    while start > text.startIndex, colon - start < 20, isScheme(text[start - 1]) { start -= 1 }
    guard start < colon, isLetter(text[start]) else { return nil }
    if text[next...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) { return start }
    return plain.contains(String(decoding: text[start..<colon], as: UTF8.self).lowercased()) ? start : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }

  private static func isScheme(_ byte: UInt8) -> Bool {
    isLetter(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  /// Indicates if a byte may be part of an address: all except white space, quotes, brackets and backslashes.
  private static func isPart(_ byte: UInt8) -> Bool {
    byte > 32 && byte != 127 && !"\"'`<>\\(){}".utf8.contains(byte)
  }
}
