package import Core
package import Device
package import FoundationEssentials
package import MRAID

extension ContainerCatalogue {
  /// The container of this name; a name that isn't there is the caller's fault.
  package func required(_ name: String) throws(Fault) -> ContainerProfile {
    if let profile = container(named: name) { return profile }
    let names = containers.map(\.name)
    let near = Suggestion.likely(for: name, among: names).joined(separator: ", ")
    let hint = near.isEmpty ? "" : "did you mean \(near)? "
    throw .request(
      "container-unknown", "there is no container '\(name)'; \(hint)there are \(names.joined(separator: ", "))")
  }
}

extension ContainerProfile {
  /// One that somebody describes in the form of those that ship with Galley; what is none is the caller's fault.
  package static func described(by data: Data, called name: String) throws(Fault) -> ContainerProfile {
    do {
      return try JSONDecoder().decode(ContainerProfile.self, from: data)
    } catch {
      throw .request("container-invalid", "\(name) is no container: \(words(error))")
    }
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case let problem as ContainerProblem: problem.description
    case DecodingError.keyNotFound(let key, let context): "\(place(context))\(key.stringValue) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(place(context))is of the wrong kind"
    case DecodingError.dataCorrupted(let context) where context.codingPath.last?.stringValue == "what":
      "\(place(context))is none of \(ContainerDifference.What.allCases.map(\.rawValue).joined(separator: ", "))"
    default: "not readable as JSON"
    }
  }

  /// `differences.2.what `
  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    return path.isEmpty ? "" : path + " "
  }
}

extension DeviceCatalogue {
  /// The device of this name; one that isn't there is the caller's fault, who is told what comes near.
  package func required(_ name: String) throws(Fault) -> Device {
    if let device = device(named: name) { return device }
    let near = suggestions(for: name).joined(separator: ", ")
    let hint = near.isEmpty ? "'galley devices' lists all" : "did you mean \(near)?"
    throw .request("device-unknown", "there is no device '\(name)'; \(hint)")
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
