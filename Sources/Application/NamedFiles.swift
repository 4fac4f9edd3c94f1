package import Core
package import Device
internal import Foundation
package import MRAID
package import RenderModel

/// Scenario that the caller named.
package struct ScenarioFile: Hashable {
  /// Path of the file.
  package let path: String
  /// Name of the file in error messages.
  package let name: String

  package init(path: String, name: String) { (self.path, self.name) = (path, name) }

  /// Name that stands for no scenario, not even the creative's own; a file of that name is written `./none`.
  package static let none = "none"

  /// Reads the scenario; every failure is a request's fault.
  package func read() throws(Fault) -> Scenario {
    if path == Self.none { return Scenario(source: Self.none, steps: []) }
    guard let text = String(validating: try bytes(), as: UTF8.self) else {
      throw .request("scenario-invalid", "\(name): a scenario must be a UTF-8 text file")
    }
    return try ScenarioParser.parse(text, source: name)
  }

  /// Returns the contents of the file, which may also be a pipe, since the caller named it.
  private func bytes() throws(Fault) -> [UInt8] {
    do throws(FileReadingError) {
      return try FileReading.named(path, most: ScenarioParser.maximumBytes)
    } catch {
      if case .system = error { throw .request("scenario-missing", "can't read the scenario \(name): \(error)") }
      throw .request("scenario-invalid", "can't read the scenario \(name): \(error)")
    }
  }
}

/// Device described in a user's file, in the catalogue's form.
package enum DeviceFile {
  /// Returns a device of the catalogue, or of a file whose name ends in .json.
  package static func named(_ name: String) throws(Fault) -> Device {
    let catalogue = DeviceCatalogue.standard
    if catalogue.device(named: name) == nil, name.hasSuffix(".json") { return try read(name) }
    return try catalogue.required(name)
  }

  /// Reads one device; an invalid file is a request's fault.
  package static func read(_ path: String) throws(Fault) -> Device {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.named(path, most: 1 << 20)
    } catch {
      throw .request("file-missing", "can't read the device file \(path): \(error)")
    }
    do {
      let device = try JSONDecoder().decode(Device.self, from: Data(bytes))
      // The same bounds as for --screen.
      _ = try Device.custom(screen: "\(device.screen)@\(device.scale)")
      try device.validate()
      return device
    } catch let error as ScreenFormatError {
      throw .request(error.code, "\(path): \(error)")
    } catch let fault as Fault {
      throw .request("device-invalid", "\(path): \(fault.message)")
    } catch {
      throw .request("device-invalid", "\(path) isn't a device: \(Self.words(error))")
    }
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has the wrong type"
    default: "invalid JSON"
    }
  }
}

/// Container described in a user's file, in the form of those that ship with Galley.
package enum ContainerFile {
  /// Returns a container of the catalogue, or of a file whose name ends in .json.
  package static func named(_ name: String) throws(Fault) -> ContainerProfile {
    let catalogue = ContainerCatalogue.standard
    if catalogue.container(named: name) == nil, name.hasSuffix(".json") { return try read(name) }
    return try catalogue.required(name)
  }

  /// Reads one container; an invalid file is a request's fault.
  package static func read(_ path: String) throws(Fault) -> ContainerProfile {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.named(path, most: 1 << 20)
    } catch {
      throw .request("file-missing", "can't read the container file \(path): \(error)")
    }
    return try ContainerProfile.described(by: Data(bytes), called: path)
  }
}

/// Bridge script that replaces Galley's own, for testing the conformance suite itself.
package enum BridgeFile {
  package static func read(_ path: String) throws(Fault) -> String {
    let text: String
    do throws(FileReadingError) {
      text = String(decoding: try FileReading.named(path, most: 4 << 20), as: UTF8.self)
    } catch {
      throw .request("file-missing", "can't read the bridge script \(path): \(error)")
    }
    guard text.contains(BridgeScript.placeholder) else {
      throw .request("bridge-invalid", "\(path) lacks \(BridgeScript.placeholder) for its configuration")
    }
    return text
  }
}
