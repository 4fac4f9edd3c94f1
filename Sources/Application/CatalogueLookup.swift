package import Checks
package import Core
package import Device
package import FoundationEssentials
package import MRAID

extension ContainerCatalogue {
  /// Returns the container with a name; an unknown name is a request's fault.
  package func required(_ name: String) throws(Fault) -> ContainerProfile {
    if let profile = container(named: name) { return profile }
    let names = containers.map(\.name)
    let near = Suggestion.likely(for: name, among: names).joined(separator: ", ")
    let hint = near.isEmpty ? "" : "did you mean \(near)? "
    throw .request(
      "container-unknown", "there is no container '\(name)'; \(hint)choose one of \(names.joined(separator: ", "))")
  }
}

extension ContainerProfile {
  /// Returns the container that the networks' profiles agree on; nil if there is none, or it is the standard's.
  package static func agreed(on profiles: [Profile]) -> ContainerProfile? {
    let named = Profile.container(of: profiles).flatMap { ContainerCatalogue.standard.container(named: $0) }
    return named.flatMap { $0.differences.isEmpty ? nil : $0 }
  }

  /// Decodes a container that a user describes in the form of those that ship with Galley.
  ///
  /// Invalid data is a request's fault.
  package static func described(by data: Data, called name: String) throws(Fault) -> ContainerProfile {
    do {
      return try JSONDecoder().decode(ContainerProfile.self, from: data)
    } catch {
      throw .request("container-invalid", "\(name) isn't a container: \(words(error))")
    }
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case let problem as ContainerProblem: problem.description
    case DecodingError.keyNotFound(let key, let context): "\(place(context))\(key.stringValue) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(place(context))has the wrong type"
    case DecodingError.dataCorrupted(let context) where context.codingPath.last?.stringValue == "what":
      "\(place(context))must be one of \(ContainerDifference.What.allCases.map(\.rawValue).joined(separator: ", "))"
    default: "invalid JSON"
    }
  }

  /// Returns the path to the invalid member, such as `differences.2.what `.
  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    return path.isEmpty ? "" : path + " "
  }
}

extension DeviceCatalogue {
  /// Returns the device with a name; an unknown name is a request's fault that suggests similar names.
  ///
  /// `list` is the hint on a list of all names.
  package func required(
    _ name: String, list: String = "'galley devices' lists all"
  ) throws(Fault) -> Device {
    if let device = device(named: name) { return device }
    let near = suggestions(for: name).joined(separator: ", ")
    let hint = near.isEmpty ? list : "did you mean \(near)?"
    throw .request("device-unknown", "there is no device '\(name)'; \(hint)")
  }
}

extension Device {
  /// Makes a plain screen such as `390x844@3`; an invalid one is a request's fault.
  package static func plain(screen: String) throws(Fault) -> Device {
    do {
      return try custom(screen: screen)
    } catch {
      throw .request(error.code, "\(error)")
    }
  }
}
