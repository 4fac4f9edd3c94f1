internal import Core
internal import Foundation
internal import Jobs
internal import Stage

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
