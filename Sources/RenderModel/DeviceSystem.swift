package import Device

/// Operating system of a device, which decides its apps and stores, derived from its user agent.
package enum DeviceSystem: String, Hashable, Sendable, Codable, CaseIterable {
  case ios, android, desktop

  package init(_ device: Device) {
    let agent = device.userAgent
    if agent.contains("Android") {
      self = .android
    } else if device.touch || ["iPhone", "iPad"].contains(where: { agent.contains($0) }) {
      self = .ios
    } else {
      self = .desktop
    }
  }
}
