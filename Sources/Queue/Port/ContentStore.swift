package import Core
internal import Files
internal import Glibc
internal import Synchronization

/// Files' contents, each once, known by their SHA-256 in lower-case hex.
package protocol ContentStore: Sendable {
  /// Keeps a file's contents; returns their hash.
  func put(file: String) async throws(Fault) -> String

  /// Writes contents to a file that isn't there yet, and makes sure that they are what was kept.
  func get(_ hash: String, to file: String) async throws(Fault)

  /// Whether contents are kept; who asks wants them, so that they are as new as what is put now.
  func has(_ hash: String) async throws(Fault) -> Bool

  /// Removes contents; nothing happens to those that aren't there.
  func remove(_ hash: String) async throws(Fault)

  /// Removes contents that nobody put or asked for since an instant, in milliseconds since 1970; says how many.
  func expire(before timestamp: Int64) async throws(Fault) -> Int
}

extension Fault {
  /// Whether contents that were asked for by a hash aren't there, or not yet.
  package var isMissingContents: Bool { code == "content-missing" && origin == .engine }
}

extension ContentStore {
  /// Fetches what is known to have been kept lately.
  ///
  /// A server of NATS that leads before it has caught up says for some seconds that nothing is there: what is missing is
  /// asked for again, as long as there is patience.
  package func getKept(_ hash: String, to file: String, patience: Duration) async throws(Fault) {
    let end = ContinuousClock.now + patience
    while true {
      do throws(Fault) {
        return try await get(hash, to: file)
      } catch {
        guard error.isMissingContents, ContinuousClock.now < end,
          (try? await Task.sleep(for: .milliseconds(500))) != nil
        else { throw error }
      }
    }
  }
}

/// Reading and writing contents a piece at a time: they may be large.
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

  /// A new file for this user's eyes alone.
  static func writing(_ path: String) throws(Fault) -> ContentFile {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw fault("write", path) }
    return ContentFile(path, file)
  }

  /// The next bytes; nil at the end.
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

  /// Contents are known by nothing else, so that a hash may become part of a path or a subject.
  static func check(_ hash: String) throws(Fault) {
    let isHash = hash.utf8.count == 64 && hash.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard isHash else { throw .request("content-missing", "\(hash) is no SHA-256") }
  }

  static func missing(_ hash: String) -> Fault { .engine("content-missing", "the contents \(hash) aren't kept") }

  private static func fault(_ what: String, _ path: String) -> Fault {
    let error = SystemError(errno)
    return what == "write" ? .writing(path, error) : .engine("data-failed", "can't \(what) \(path): \(error)")
  }
}
