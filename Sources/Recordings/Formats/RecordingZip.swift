internal import CZip
internal import Core
internal import Files
internal import Glibc

/// Zip file of a recording: bodies are copied from file to file, one piece at a time.
enum RecordingZip {
  private static let mostMembers = 400_000

  /// Writes files into a zip; the same files produce the same bytes.
  static func write(_ path: String, files: [(name: String, path: String)]) throws {
    let waiting = "\(path).\(getpid()).part"
    unlink(waiting)
    defer { unlink(waiting) }
    var code: Int32 = 0
    guard let archive = zip_open(waiting, ZIP_CREATE | ZIP_TRUNCATE, &code) else {
      throw Fault.writing(path, SystemError(errno), isNamed: true)
    }
    do {
      for file in files { try add(file.name, zip_source_file(archive, file.path, 0, -1), to: archive) }
    } catch {
      zip_discard(archive)
      throw error
    }
    guard zip_close(archive) == 0 else {
      let reason = String(cString: zip_strerror(archive))
      zip_discard(archive)
      throw Fault.engine("output-failed", "can't write to \(path): \(reason)")
    }
    guard rename(waiting, path) == 0 else { throw Fault.writing(path, SystemError(errno), isNamed: true) }
  }

  private static func add(_ name: String, _ source: OpaquePointer?, to archive: OpaquePointer) throws {
    guard let source else { throw Fault.engine("output-failed", "can't read \(name)") }
    let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
    guard index >= 0 else {
      zip_source_free(source)
      throw Fault.engine("output-failed", "can't add \(name): \(String(cString: zip_strerror(archive)))")
    }
    let packed = [".png", ".jpg", ".webp", ".webm", ".mp4", ".gz"].contains(where: name.hasSuffix)
    zip_set_file_compression(archive, zip_uint64_t(index), packed ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 6)
    // 1 January 1980, a zip's first day.
    zip_file_set_dostime(archive, zip_uint64_t(index), 0, 1 << 5 | 1, 0)
  }

  /// Reads the archive in a zip, and the bodies that it refers to.
  static func read(_ path: String, into folder: RecordingFolder, within bounds: RecordingBounds) throws {
    var code: Int32 = 0
    guard let archive = zip_open(path, ZIP_RDONLY, &code) else {
      throw Fault.request("recording-broken", "\(path) isn't a readable zip")
    }
    defer { zip_discard(archive) }
    let count = zip_get_num_entries(archive, 0)
    guard count <= mostMembers else {
      throw Fault.request("recording-too-large", "\(path) has more than \(mostMembers) files")
    }
    try checkSizes(archive, count, path, bounds.bytes)
    let names = (0..<count).compactMap { zip_get_name(archive, zip_uint64_t($0), 0).map { String(cString: $0) } }
    guard let main = names.first(where: { $0 == "har.har" }) ?? names.first(where: { $0.hasSuffix(".har") }) else {
      throw Fault.request("recording-broken", "\(path) contains no .har")
    }
    var total = 0
    var kept: [String: Exchange.Content] = [:]
    let reader = HARReader(folder: folder, name: path, bounds: bounds) { name in
      if let content = kept[name] { return content }
      guard zip_name_locate(archive, name, 0) >= 0 else { return nil }
      let body = try folder.beginBody()
      try member(name, of: archive, path) { piece in
        total += piece.count
        guard total <= bounds.bytes else { throw tooLarge(path, bounds.bytes) }
        try body.write(piece)
      }
      let content = try body.finish(mimeType: "")
      kept[name] = content
      return content
    }
    try reader.read { handOn in try member(main, of: archive, path, handOn) }
  }

  /// Refuses encrypted files and too large declared sizes before any file is unpacked.
  private static func checkSizes(_ archive: OpaquePointer, _ count: Int64, _ path: String, _ most: Int) throws {
    var total = 0
    for index in 0..<count {
      var facts = zip_stat_t()
      guard zip_stat_index(archive, zip_uint64_t(index), 0, &facts) == 0 else { continue }
      guard facts.encryption_method == ZIP_EM_NONE else {
        throw Fault.request("recording-broken", "\(path) is encrypted")
      }
      total = Bounded.sum(total, Int(clamping: facts.size))
    }
    // The archive itself is one of the files.
    guard total <= Bounded.product(most, 2) else { throw tooLarge(path, most) }
  }

  private static func tooLarge(_ path: String, _ most: Int) -> Fault {
    .request("recording-too-large", "\(path) has bodies of more than \(most >> 20) MiB")
  }

  private static func member(
    _ name: String, of archive: OpaquePointer, _ path: String, _ take: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard let file = zip_fopen(archive, name, 0) else {
      throw Fault.request("recording-broken", "\(path): \(name): \(String(cString: zip_strerror(archive)))")
    }
    defer { zip_fclose(file) }
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = room.withUnsafeMutableBytes { zip_fread(file, $0.baseAddress, zip_uint64_t($0.count)) }
      guard count >= 0 else { throw Fault.request("recording-broken", "\(path): \(name) is damaged") }
      guard count > 0 else { return }
      try room.withUnsafeBytes { try take(UnsafeRawBufferPointer(rebasing: $0[..<Int(count)])) }
    }
  }
}
