package import Core
internal import Files
internal import Glibc

/// The name of contents: their SHA-256 in lower-case hex.
package enum ContentHash {
  /// Indicates if a text is such a name, and so may become part of a path or a subject.
  package static func isOne(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// Indicates if a text is such a name or nil.
  package static func isOneOrNone(_ text: String?) -> Bool { text.map { isOne($0) } ?? true }

  /// Returns the name of a file's contents.
  package static func of(file: String) throws(Fault) -> String { try ContentFile.hash(file) }
}

extension Fault {
  /// Indicates if contents that were requested by hash aren't there, or not yet.
  package var isMissingContents: Bool { has(.contentMissing) && origin == .engine }
}

/// File whose contents are read or written in pieces, since they may be large.
final class ContentFile: Sendable {
  private let path: String
  private let descriptor: Int32

  private init(_ path: String, _ descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

  deinit { Glibc.close(descriptor) }

  static func reading(_ path: String) throws(Fault) -> ContentFile {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw fault("read", path) }
    return ContentFile(path, file)
  }

  /// Creates a file that only this user can read and write.
  static func writing(_ path: String) throws(Fault) -> ContentFile {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw fault("write", path) }
    return ContentFile(path, file)
  }

  /// Returns the next bytes, at most 128 KiB; nil at the end.
  func next() throws(Fault) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 131_072)
    while true {
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.fault("read", path) }
      return count == 0 ? nil : Array(bytes[..<count])
    }
  }

  func write(_ bytes: [UInt8]) throws(Fault) {
    do throws(SystemError) {
      try FileWriting.writeAll(bytes, to: descriptor)
    } catch {
      throw Fault.writing(path, error)
    }
  }

  /// Waits until the bytes are on the disk.
  func synchronise() throws(Fault) {
    guard fsync(descriptor) == 0 else { throw Self.fault("write", path) }
  }

  static func hash(_ path: String) throws(Fault) -> String {
    let file = try reading(path)
    let hash = SHA256()
    while let bytes = try file.next() { hash.update(bytes) }
    return hash.finish().hex
  }

  /// Throws unless the text is a SHA-256 in hex, so that it may become part of a path or a subject.
  static func check(_ hash: String) throws(Fault) {
    guard ContentHash.isOne(hash) else { throw .request(.contentMissing, "\(hash) isn't a SHA-256") }
  }

  static func missing(_ hash: String) -> Fault { .engine(.contentMissing, "the content \(hash) isn't stored") }

  private static func fault(_ what: String, _ path: String) -> Fault {
    let error = SystemError(errno)
    return what == "write" ? .writing(path, error) : .engine("data-failed", "can't \(what) \(path): \(error)")
  }
}
