internal import Foundation
internal import Jobs
internal import MRAID

/// A container described in a file of the caller's, in the form of those that ship with Galley.
enum ContainerFile {
  /// Reads one; a file that is none is the caller's fault.
  static func read(_ path: String) throws(Fault) -> ContainerProfile {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .request("no-such-file", "the container file \(path) can't be read")
    }
    do {
      return try JSONDecoder().decode(ContainerProfile.self, from: data)
    } catch {
      throw .request("container-invalid", "\(path) is no container: \(words(error))")
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
