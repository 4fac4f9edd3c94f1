internal import Application
internal import Core
internal import Creatives
internal import Device
internal import Foundation
internal import Glibc
internal import MRAID
internal import RenderModel
internal import Synchronization

/// A scenario that the caller named.
struct ScenarioFile: Hashable {
  /// Where it is.
  let path: String
  /// What failures call it.
  let name: String

  /// Reads it; every failure is the caller's to mend.
  func read() throws(Fault) -> Scenario {
    guard let text = String(validating: try bytes(), as: UTF8.self) else {
      throw .request("scenario-invalid", "\(name): a scenario is a UTF-8 text file")
    }
    return try ScenarioParser.parse(text, source: name)
  }

  /// A pipe is read as well: the caller named it.
  private func bytes() throws(Fault) -> [UInt8] {
    do throws(FileReadingError) {
      return try FileReading.named(path, most: ScenarioParser.maximumBytes)
    } catch {
      if case .system = error { throw .request("scenario-missing", "can't read the scenario \(name): \(error)") }
      throw .request("scenario-invalid", "can't read the scenario \(name): \(error)")
    }
  }
}

/// A device described in a file of the caller's, in the catalogue's form.
enum DeviceFile {
  /// Reads one device; a file that is none is the caller's fault.
  static func read(_ path: String) throws(Fault) -> Device {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.named(path, most: 1 << 20)
    } catch {
      throw .request("no-such-file", "the device file \(path) can't be read: \(error)")
    }
    do {
      let device = try JSONDecoder().decode(Device.self, from: Data(bytes))
      // The same bounds as for --screen.
      _ = try Device.custom(screen: "\(device.screen)@\(device.scale)")
      return device
    } catch let error as ScreenFormatError {
      throw .request(error.code, "\(path): \(error)")
    } catch {
      throw .request("device-invalid", "\(path) is no device: \(Self.words(error))")
    }
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of the wrong kind"
    default: "not readable as JSON"
    }
  }
}

/// A container described in a file of the caller's, in the form of those that ship with Galley.
enum ContainerFile {
  /// Reads one; a file that is none is the caller's fault.
  static func read(_ path: String) throws(Fault) -> ContainerProfile {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.named(path, most: 1 << 20)
    } catch {
      throw .request("no-such-file", "the container file \(path) can't be read: \(error)")
    }
    return try ContainerProfile.described(by: Data(bytes), called: path)
  }
}

/// Standard input kept in a temporary file, since creatives are read more than once.
///
/// The file's folder goes when its lock is free: however this program ends, nothing of it is left. It needs a name:
/// who brings files to workers has no way to what this process has open.
enum StandardInputSpool {
  /// The folder that is to go with this program.
  private static let kept = Mutex<String?>(nil)

  /// Copies standard input to its end and returns a path that is good as long as this program runs.
  static func fill() throws(Fault) -> String {
    let (path, file) = try openFile()
    defer { close(file) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var size = 0
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count == 0 { return path }
      guard count > 0 else { throw .request("stdin-unreadable", "can't read standard input: \(SystemError(errno))") }
      size += count
      guard size <= BundleLimits.standard.largestTotal else {
        throw .creative("stdin-too-large", "standard input has more than \(BundleLimits.standard.largestTotal) bytes")
      }
      try write(chunk[..<count], to: file)
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32) throws(Fault) {
    do throws(SystemError) {
      try FileWriting.writeAll(bytes, to: file)
    } catch {
      throw fault(error)
    }
  }

  private static func openFile() throws(Fault) -> (path: String, file: Int32) {
    // The lock is open as long as this program runs.
    guard let folder = EngineFolder.make() else { throw fault(SystemError(errno)) }
    kept.withLock { $0 = folder.path }
    // A program that doesn't come to its end leaves it to the guard, or to the next.
    atexit { StandardInputSpool.kept.withLock { $0 }.map(EngineFolder.remove) }
    let path = "\(folder.path)/creative"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw fault(SystemError(errno)) }
    return (path, file)
  }

  private static func fault(_ error: SystemError) -> Fault {
    .engine("stdin-failed", "can't keep standard input: \(error)")
  }
}
