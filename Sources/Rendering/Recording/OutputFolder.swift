internal import Foundation
internal import Glibc
internal import Jobs
internal import Pixels

/// Where one creative's results go.
struct OutputFolder: Sendable {
  let path: String

  var events: String { "\(path)/events.ndjson" }
  var result: String { "\(path)/result.json" }

  /// Makes the folder and its `screenshots`.
  init(_ path: String) throws(Fault) {
    self.path = path
    do {
      try FileManager.default.createDirectory(atPath: "\(path)/screenshots", withIntermediateDirectories: true)
    } catch {
      throw Self.fault(path, errno)
    }
  }

  /// Whether the file at a path below the folder is on disk.
  func holds(_ file: String) -> Bool { access("\(path)/\(file)", F_OK) == 0 }

  /// Forgets the pictures of a render that is begun anew.
  func removePictures() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/screenshots")) ?? [] {
      try? FileManager.default.removeItem(atPath: "\(path)/screenshots/\(name)")
    }
  }

  /// Writes `result.json` whole or not at all.
  func write(_ record: RenderRecord) throws(Fault) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
      try encoder.encode(record).write(to: URL(fileURLWithPath: result), options: .atomic)
    } catch {
      throw Self.fault(result, errno)
    }
  }

  /// Writes what a render that explores noted; the fault, if any.
  @concurrent func write(_ observations: [Observation]) async -> Fault? {
    let file = "\(path)/\(Observation.fileName)"
    let data = (try? JSONEncoder().encode(observations)) ?? Data()
    return FileManager.default.createFile(atPath: file, contents: data) ? nil : Self.fault(file, errno)
  }

  /// Writes what a render that measures found; the fault, if any.
  @concurrent func write(_ measurements: Measurements) async -> Fault? {
    let file = "\(path)/\(Measurements.fileName)"
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let data = (try? encoder.encode(measurements)) ?? Data()
    return FileManager.default.createFile(atPath: file, contents: data) ? nil : Self.fault(file, errno)
  }

  /// What a picture that couldn't be written means.
  static func fault(_ error: PNGError) -> Fault {
    if case .file(_, let path, let number) = error { return fault(path, number) }
    return .engine(error.code, error.description)
  }

  /// What an errno while writing means and whose fault that is.
  static func fault(_ path: String, _ code: Int32) -> Fault {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT: return .engine("disk-full", "\(path) can't be written: \(reason)")
    case EACCES, EPERM, EROFS, ENOTDIR: return .request("output-not-writable", "\(path) can't be written: \(reason)")
    default: return .engine("output-failed", "\(path) can't be written: \(reason)")
    }
  }
}
