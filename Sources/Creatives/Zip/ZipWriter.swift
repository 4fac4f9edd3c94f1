import CZip
package import Core
internal import Glibc

/// Writer of zips that are byte-equal for the same files: they depend on neither the date nor the machine.
package struct ZipWriter: ~Copyable {
  private let source: OpaquePointer
  private let archive: OpaquePointer

  /// Begins an archive in memory.
  package init() throws(Fault) {
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    guard let source = zip_source_buffer_create(nil, 0, 0, &error) else { throw Self.fault(&error) }
    // The archive takes one reference; the other stays for reading it back.
    zip_source_keep(source)
    guard let archive = zip_open_from_source(source, ZIP_TRUNCATE, &error) else {
      defer { for _ in 0..<2 { zip_source_free(source) } }
      throw Self.fault(&error)
    }
    (self.source, self.archive) = (source, archive)
  }

  /// Adds a file; `isPacked` indicates that it is compressed already, so that it is stored unchanged.
  package mutating func add(_ name: String, _ bytes: [UInt8], isPacked: Bool) throws(Fault) {
    // The archive reads it when it is finished, and frees it then.
    guard let copy = malloc(max(1, bytes.count)) else { throw Self.fault("no memory for \(name)") }
    bytes.withUnsafeBytes { if let start = $0.baseAddress { memcpy(copy, start, $0.count) } }
    guard let content = zip_source_buffer(archive, copy, zip_uint64_t(bytes.count), 1) else {
      free(copy)
      throw fault
    }
    let index = zip_file_add(archive, name, content, zip_flags_t(ZIP_FL_ENC_UTF_8))
    guard index >= 0 else {
      zip_source_free(content)
      throw fault
    }
    let entry = zip_uint64_t(index)
    let mode = zip_uint32_t(0o100644) << 16
    guard zip_set_file_compression(archive, entry, isPacked ? ZIP_CM_STORE : ZIP_CM_DEFLATE, Self.level) == 0,
      zip_file_set_dostime(archive, entry, 0, Self.firstDay, 0) == 0,
      zip_file_set_external_attributes(archive, entry, 0, zip_uint8_t(ZIP_OPSYS_UNIX), mode) == 0
    else { throw fault }
  }

  /// Returns the archive with all added files.
  package consuming func finish() throws(Fault) -> [UInt8] {
    let (source, archive) = (source, archive)
    discard self
    defer { zip_source_free(source) }
    guard zip_close(archive) == 0 else {
      defer { zip_discard(archive) }
      throw Self.fault(String(cString: zip_strerror(archive)))
    }
    var facts = zip_stat_t()
    guard zip_source_stat(source, &facts) == 0, zip_source_open(source) == 0 else { throw Self.reading(source) }
    defer { zip_source_close(source) }
    let size = Int(clamping: facts.size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
      count = max(0, Int(zip_source_read(source, room.baseAddress, zip_uint64_t(size))))
    }
    guard bytes.count == size else { throw Self.reading(source) }
    return bytes
  }

  deinit {
    zip_discard(archive)
    zip_source_free(source)
  }

  private static let level: zip_uint32_t = 6
  /// First day that a zip can represent, 1 January 1980.
  private static let firstDay: zip_uint16_t = 1 << 5 | 1

  private var fault: Fault { Self.fault(String(cString: zip_strerror(archive))) }

  private static func fault(_ error: inout zip_error_t) -> Fault { fault(String(cString: zip_error_strerror(&error))) }

  private static func reading(_ source: OpaquePointer) -> Fault {
    fault(String(cString: zip_error_strerror(zip_source_error(source))))
  }

  private static func fault(_ reason: String) -> Fault { .engine("zip-failed", "can't write a zip: \(reason)") }
}
