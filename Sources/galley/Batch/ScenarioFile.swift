internal import Core
internal import Jobs

/// A scenario that the caller named.
struct ScenarioFile: Hashable {
  /// Where it is.
  let path: String
  /// What failures call it.
  let name: String

  /// Reads it; every failure is the caller's to mend.
  func read() throws(Fault) -> Scenario {
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
