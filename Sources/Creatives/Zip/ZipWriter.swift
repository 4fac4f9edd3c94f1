package import Core
import CZip
import Glibc

/// Makes a zip of bytes at hand.
package enum ZipWriter {
  /// A file to be.
  package struct File: Hashable, Sendable {
    /// With slashes between folders.
    package let name: String
    package let bytes: [UInt8]

    package init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  /// The zip's bytes; of two files with one name the last counts.
  package static func zip(_ files: [File]) throws(Fault) -> [UInt8] {
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    guard let source = zip_source_buffer_create(nil, 0, 1, &error) else { throw fault(&error) }
    defer { zip_source_free(source) }
    // The archive gives its source up when it is closed, and the bytes are read from it afterwards.
    zip_source_keep(source)
    guard let archive = zip_open_from_source(source, ZIP_TRUNCATE, &error) else {
      zip_source_free(source)
      throw fault(&error)
    }
    for file in files {
      guard add(file, to: archive) else {
        let reason = String(cString: zip_strerror(archive))
        zip_discard(archive)
        throw .engine("output-failed", "\(file.name.printable) can't be packed: \(reason)")
      }
    }
    guard zip_close(archive) == 0 else {
      let reason = String(cString: zip_strerror(archive))
      zip_discard(archive)
      throw .engine("output-failed", "the zip can't be made: \(reason)")
    }
    return try contents(of: source)
  }

  private static func add(_ file: File, to archive: OpaquePointer) -> Bool {
    // libzip reads it on closing, and frees it then.
    guard let copy = malloc(max(1, file.bytes.count)) else { return false }
    file.bytes.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { memcpy(copy, base, bytes.count) }
    }
    guard let source = zip_source_buffer(archive, copy, zip_uint64_t(file.bytes.count), 1) else {
      free(copy)
      return false
    }
    let flags = zip_flags_t(ZIP_FL_OVERWRITE) | zip_flags_t(ZIP_FL_ENC_UTF_8)
    guard zip_file_add(archive, file.name, source, flags) >= 0 else {
      zip_source_free(source)
      return false
    }
    return true
  }

  private static func contents(of source: OpaquePointer) throws(Fault) -> [UInt8] {
    guard zip_source_open(source) == 0 else { throw .engine("output-failed", "the zip can't be read back") }
    defer { zip_source_close(source) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = buffer.withUnsafeMutableBytes { zip_source_read(source, $0.baseAddress, zip_uint64_t($0.count)) }
      guard count >= 0 else { throw .engine("output-failed", "the zip can't be read back") }
      if count == 0 { return bytes }
      bytes += buffer[..<Int(count)]
    }
  }

  private static func fault(_ error: UnsafeMutablePointer<zip_error_t>) -> Fault {
    .engine("output-failed", "the zip can't be made: \(String(cString: zip_error_strerror(error)))")
  }
}
