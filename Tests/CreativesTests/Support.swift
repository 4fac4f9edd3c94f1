import CZip
import Core
import FoundationEssentials
import Glibc
import RenderModel
import TestFolders
import Testing

@testable import Creatives

extension TestFolder {
  /// Returns the text in UTF-16 with its byte order mark.
  static func littleEndian(_ text: String) -> [UInt8] {
    ([0xFEFF] + Array(text.utf16)).flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
  }

  func link(_ relative: String, to target: String) throws {
    try #require(symlink(target, path + "/" + relative) == 0)
  }

  /// Creates a file of `size` zero bytes that takes no space.
  func writeSparse(_ relative: String, size: Int) throws -> String {
    let target = try write(relative, "")
    try #require(truncate(target, size) == 0)
    return target
  }

  /// Opens the file or folder at `relative` as a creative.
  func open(_ relative: String = "", limits: BundleLimits = .standard) throws(Fault) -> CreativeBundle {
    let target = relative.isEmpty ? path : path + "/" + relative
    return try .open(CreativeReference(argument: target, path: target, name: "test"), limits: limits)
  }

  /// Returns the fault of opening `relative`; nil if there is none.
  func fault(_ relative: String = "", limits: BundleLimits = .standard) -> Fault? {
    do throws(Fault) {
      _ = try open(relative, limits: limits)
      return nil
    } catch {
      return error
    }
  }
}

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

  /// Copies bytes to memory that libzip frees.
  private static func copy(of bytes: [UInt8]) -> UnsafeMutableRawPointer? {
    let memory = malloc(max(bytes.count, 1))
    bytes.withUnsafeBytes { if let base = $0.baseAddress { memory?.copyMemory(from: base, byteCount: $0.count) } }
    return memory
  }
}

/// Writer of zips byte by byte, for files that no zip library writes.
struct RawZip {
  struct Entry {
    var name: [UInt8]
    var data: [UInt8]
    /// Compression method: 0 stored, 8 deflated.
    var method: UInt16 = 0
    /// Size declared in the headers; nil for the true size of a stored entry.
    var declaredSize: UInt32?
    var checksum: UInt32?
    var flags: UInt16 = 0

    init(_ name: String, _ text: String = "x") {
      self.name = Array(name.utf8)
      data = Array(text.utf8)
    }
  }

  var entries: [Entry]
  /// Number of entries declared in the end record; nil for the true number.
  var declaredCount: UInt16?
  /// Indicates if a zip64 end record contains the values that the plain one then leaves open.
  var isZip64 = false

  init(_ entries: [Entry]) { self.entries = entries }

  var bytes: [UInt8] {
    var body: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = UInt32(body.count)
      let common = commonFields(entry)
      body += u32(0x0403_4B50) + common + u16(0) + entry.name + entry.data
      directory += u32(0x0201_4B50) + u16(20) + common + u16(0) + u16(0) + u16(0) + u16(0) + u32(0) + u32(offset)
      directory += entry.name
    }
    let count = declaredCount ?? UInt16(entries.count)
    let (size, offset) = (UInt32(directory.count), UInt32(body.count))
    body += directory
    guard isZip64 else { return body + end(count: count, size: size, offset: offset) }
    let start = UInt32(body.count)
    body += u32(0x0606_4B50) + u64(44) + u16(45) + u16(45) + u32(0) + u32(0)
    body += u64(UInt32(count)) + u64(UInt32(count)) + u64(size) + u64(offset)
    body += u32(0x0706_4B50) + u32(0) + u64(start) + u32(1)
    return body + end(count: .max, size: .max, offset: .max)
  }

  private func end(count: UInt16, size: UInt32, offset: UInt32) -> [UInt8] {
    u32(0x0605_4B50) + u16(0) + u16(0) + u16(count) + u16(count) + u32(size) + u32(offset) + u16(0)
  }

  /// Returns the header fields from the version needed to the name's length, equal in both headers.
  private func commonFields(_ entry: Entry) -> [UInt8] {
    u16(20) + u16(entry.flags) + u16(entry.method) + u16(0) + u16(0x21) + u32(entry.checksum ?? crc32(entry.data))
      + u32(UInt32(entry.data.count)) + u32(entry.declaredSize ?? UInt32(entry.data.count))
      + u16(UInt16(entry.name.count))
  }

  private func u16(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
  private func u64(_ value: UInt32) -> [UInt8] { u32(value) + u32(0) }
  private func u32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 0xFF) } }

  private func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
