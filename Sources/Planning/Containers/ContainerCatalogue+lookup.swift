package import Jobs
package import MRAID

extension ContainerCatalogue {
  /// The container of this name; a name that isn't there is the caller's fault.
  package func required(_ name: String) throws(Fault) -> ContainerProfile {
    if let profile = container(named: name) { return profile }
    let names = containers.map(\.name).joined(separator: ", ")
    throw .request("unknown-container", "there is no container '\(name)'; there are \(names)")
  }
}
