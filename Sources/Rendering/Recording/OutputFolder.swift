internal import Core
internal import Files
internal import Foundation
internal import Glibc
internal import Pixels
internal import RenderModel

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
      throw .writing(path, error)
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
    if let fault = write(record, to: "result.json") { throw fault }
  }

  /// Writes what a render that explores noted; the fault, if any.
  @concurrent func write(_ observations: [Observation]) async -> Fault? {
    write(observations, to: Observation.fileName, isIndented: false)
  }

  /// Writes what a render that measures found; the fault, if any.
  @concurrent func write(_ measurements: Measurements) async -> Fault? {
    write(measurements, to: Measurements.fileName)
  }

  /// A document that can't be written leaves no file, or who reads it would take an empty one for the whole.
  private func write(_ document: some Encodable, to name: String, isIndented: Bool = true) -> Fault? {
    let file = "\(path)/\(name)"
    do {
      let bytes = try JSONText.bytes(document, isIndented: isIndented)
      try Data(bytes).write(to: URL(fileURLWithPath: file), options: .atomic)
      return nil
    } catch {
      return .writing(file, error)
    }
  }

  /// What a picture that couldn't be written means.
  static func fault(_ error: PNGError) -> Fault {
    if case .file(_, let path, let number) = error { return .writing(path, SystemError(number)) }
    return .engine(error.code, error.description)
  }
}
