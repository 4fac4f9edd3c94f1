package import FoundationEssentials
package import Jobs
package import MRAID

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
