internal import Foundation
internal import Jobs

/// A scenario that the caller named.
struct ScenarioFile: Hashable {
  /// Where it is.
  let path: String
  /// What failures call it.
  let name: String

  /// Reads it; every failure is the caller's to mend.
  func read() throws(Fault) -> Scenario {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw .request("scenario-missing", "can't read the scenario \(name)")
    }
    // One byte more than allowed lets the parser refuse a file of any size.
    guard let bytes = try? file.read(upToCount: ScenarioParser.maximumBytes + 1) ?? Data(),
      let text = String(data: bytes, encoding: .utf8)
    else { throw .request("scenario-invalid", "\(name): a scenario is a UTF-8 text file") }
    return try ScenarioParser.parse(text, source: name)
  }
}
