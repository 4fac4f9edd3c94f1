package import Core
package import Device
internal import Foundation
package import MRAID
package import RenderModel

/// A scenario that the caller named.
package struct ScenarioFile: Hashable {
  /// Where it is.
  package let path: String
  /// What failures call it.
  package let name: String

  package init(path: String, name: String) { (self.path, self.name) = (path, name) }

  /// Reads it; every failure is the caller's to mend.
  package func read() throws(Fault) -> Scenario {
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
package enum DeviceFile {
  /// A device of the catalogue, or of a file whose name ends in .json.
  package static func named(_ name: String) throws(Fault) -> Device {
    let catalogue = DeviceCatalogue.standard
    if catalogue.device(named: name) == nil, name.hasSuffix(".json") { return try read(name) }
    return try catalogue.required(name)
  }

  /// Reads one device; a file that is none is the caller's fault.
  package static func read(_ path: String) throws(Fault) -> Device {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.named(path, most: 1 << 20)
    } catch {
      throw .request("file-missing", "the device file \(path) can't be read: \(error)")
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
package enum ContainerFile {
  /// A container of the catalogue, or of a file whose name ends in .json.
  package static func named(_ name: String) throws(Fault) -> ContainerProfile {
    let catalogue = ContainerCatalogue.standard
    if catalogue.container(named: name) == nil, name.hasSuffix(".json") { return try read(name) }
    return try catalogue.required(name)
  }

  /// Reads one; a file that is none is the caller's fault.
  package static func read(_ path: String) throws(Fault) -> ContainerProfile {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.named(path, most: 1 << 20)
    } catch {
      throw .request("file-missing", "the container file \(path) can't be read: \(error)")
    }
    return try ContainerProfile.described(by: Data(bytes), called: path)
  }
}

/// Another bridge script than Galley's own, for trying what the conformance suite notices.
package enum BridgeFile {
  package static func read(_ path: String) throws(Fault) -> String {
    let text: String
    do throws(FileReadingError) {
      text = String(decoding: try FileReading.named(path, most: 4 << 20), as: UTF8.self)
    } catch {
      throw .request("file-missing", "the bridge script \(path) can't be read: \(error)")
    }
    guard text.contains(BridgeScript.placeholder) else {
      throw .request("bridge-invalid", "\(path) has no \(BridgeScript.placeholder) for its configuration")
    }
    return text
  }
}
