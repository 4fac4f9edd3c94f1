internal import Core
internal import Foundation

/// The devices that are known by name.
package struct DeviceCatalogue: Sendable {
  /// In the order of the catalogue file: phones, tablets, desktops of one maker after the other.
  package let devices: [Device]

  private init(devices: [Device]) {
    self.devices = devices
  }

  /// The devices that ship with Galley.
  package static let standard = DeviceCatalogue(devices: embedded())

  /// Name of the device for renders that name none.
  package static let defaultName = "iphone-15"

  /// The device with this name; case, spaces, punctuation and the maker's name don't matter: "Apple iPhone 15".
  package func device(named name: String) -> Device? {
    let key = Self.key(name)
    return devices.first { Self.key($0.name) == key }
  }

  /// The letters and digits of a name in lower case, without the maker; names with equal keys mean the same device.
  static func key(_ name: String) -> String {
    let key = String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    let maker = ["apple", "google", "samsung"].first { key.hasPrefix($0) && key != $0 }
    return String(key.dropFirst(maker?.count ?? 0))
  }

  /// Reads the catalogue that is compiled into the program; tests ensure that it is readable.
  private static func embedded() -> [Device] {
    do {
      return try JSONDecoder().decode([Device].self, from: Data(PackageResources.devices_json))
    } catch {
      preconditionFailure("devices.json: \(error)")
    }
  }
}

extension DeviceCatalogue {
  /// Names close to one that isn't in the catalogue, best first; empty when nothing is near.
  package func suggestions(for name: String, limit: Int = 3) -> [String] {
    let wanted = Self.key(name)
    guard !wanted.isEmpty else { return [] }
    let ranked = devices.enumerated().compactMap { index, device -> (rank: Int, index: Int)? in
      let key = Self.key(device.name)
      if key.hasPrefix(wanted) || wanted.hasPrefix(key) { return (0, index) }
      let edits = Suggestion.slips(from: wanted, to: key)
      return edits <= max(2, key.count / 3) ? (edits, index) : nil
    }
    return ranked.sorted { $0 < $1 }.prefix(max(0, limit)).map { devices[$0.index].name }
  }
}
