import CZip
import Glibc
import Testing

/// Writes well-formed zips through libzip.
enum ZipBuilder {
  /// An archive at `path` with deflated `files` in order; `password` encrypts them.
  static func write(_ path: String, _ files: [(name: String, bytes: [UInt8])], password: String? = nil) throws {
    var code: Int32 = 0
    let archive = try #require(zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code))
    for file in files { try add(file.name, file.bytes, to: archive, password: password) }
    try #require(zip_close(archive) == 0)
  }

  static func write(_ path: String, _ files: [(name: String, text: String)], password: String? = nil) throws {
    try write(path, files.map { ($0.name, Array($0.text.utf8)) }, password: password)
  }

  private static func add(
    _ name: String, _ bytes: [UInt8], to archive: OpaquePointer, password: String?
  ) throws {
    if name.hasSuffix("/") {
      try #require(zip_dir_add(archive, name, zip_flags_t(ZIP_FL_ENC_UTF_8)) >= 0)
      return
    }
    let source = try #require(zip_source_buffer(archive, copy(of: bytes), zip_uint64_t(bytes.count), 1))
    let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
    try #require(index >= 0)
    try #require(zip_set_file_compression(archive, zip_uint64_t(index), ZIP_CM_DEFLATE, 9) == 0)
    if let password {
      try #require(
        zip_file_set_encryption(archive, zip_uint64_t(index), zip_uint16_t(ZIP_EM_TRAD_PKWARE), password) == 0)
    }
  }

  /// Memory that libzip frees when it is done.
  private static func copy(of bytes: [UInt8]) -> UnsafeMutableRawPointer? {
    let memory = malloc(max(bytes.count, 1))
    bytes.withUnsafeBytes { if let base = $0.baseAddress { memory?.copyMemory(from: base, byteCount: $0.count) } }
    return memory
  }
}
