package import Jobs
package import Stage

extension DeviceCatalogue {
  /// The device of this name; one that isn't there is the caller's fault, who is told what comes near.
  package func required(_ name: String) throws(Fault) -> Device {
    if let device = device(named: name) { return device }
    let near = suggestions(for: name).joined(separator: ", ")
    let hint = near.isEmpty ? "'galley devices' lists all" : "did you mean \(near)?"
    throw .request("unknown-device", "there is no device '\(name)'; \(hint)")
  }
}

extension Device {
  /// A plain screen like `390x844@3`; one that can't be is the caller's fault.
  package static func plain(screen: String) throws(Fault) -> Device {
    do {
      return try custom(screen: screen)
    } catch {
      throw .request(error.code, "\(error)")
    }
  }
}
