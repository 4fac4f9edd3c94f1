import CZip
import Core
import Jobs

/// libzip's open archive, closed with its owner.
struct ZipHandle: ~Copyable {
  /// Bytes inflated at a time, so how far past its declared size an entry can get.
  private static let chunk = 1 << 16

  let archive: OpaquePointer
  /// What messages call the zip.
  private let name: String

  /// Throws `zip-broken` with libzip's reason.
  init(_ file: borrowing OpenFile) throws(Fault) {
    var code: Int32 = 0
    guard let archive = zip_open(file.path, ZIP_RDONLY, &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      throw Self.broken(file.name, String(cString: zip_error_strerror(&error)))
    }
    self.archive = archive
    name = file.name
  }

  deinit { zip_discard(archive) }

  /// The whole entry, stopped as soon as it holds more than it declares.
  func inflate(_ entry: ZipEntry) throws(Fault) -> [UInt8] {
    guard let file = zip_fopen_index(archive, entry.index, 0) else {
      throw broken(entry, String(cString: zip_strerror(archive)))
    }
    defer { zip_fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      let count = buffer.withUnsafeMutableBytes { zip_fread(file, $0.baseAddress, zip_uint64_t($0.count)) }
      guard count >= 0 else { throw broken(entry, String(cString: zip_file_strerror(file))) }
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer[..<Int(count)])
      guard bytes.count <= entry.size else {
        let problem = "\(entry.name.printable) inflates beyond the \(entry.size) bytes it declares"
        throw .creative("zip-bomb", "\(name.printable): \(problem)")
      }
    }
    guard bytes.count == entry.size else { throw broken(entry, "shorter than the \(entry.size) bytes it declares") }
    return bytes
  }

  private func broken(_ entry: ZipEntry, _ reason: String) -> Fault {
    Self.broken(name, "\(entry.name.printable): \(reason)")
  }

  /// The fault for an archive libzip can't read.
  static func broken(_ zip: String, _ reason: String) -> Fault {
    .creative("zip-broken", "\(zip.printable) is no readable zip: \(reason)")
  }
}
