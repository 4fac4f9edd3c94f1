internal import FoundationEssentials
internal import Glibc
package import Jobs

/// The folder one creative's results go to.
package struct ResultFolder: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  package var screenshots: String { path + "/screenshots" }
  package var events: String { path + "/events.ndjson" }
  package var result: String { path + "/result.json" }
  /// What exploring adds: the document, the graph, a picture of each state, and scenarios that replay the ways.
  package var exploration: String { path + "/exploration.json" }
  package var graph: String { path + "/graph.mmd" }
  package var states: String { path + "/states" }
  package var scenarios: String { path + "/scenarios" }
  /// The renders that exploring makes; gone when it is done.
  package var trials: String { path + "/trials" }
  package var observations: String { path + "/" + Observation.fileName }
  package var measurements: String { path + "/" + Measurements.fileName }
  private var filmstrip: [String] { [path + "/filmstrip.png", path + "/filmstrip-animation.png"] }
  /// What verifying against a baseline adds: the findings, further renders, pictures of differences.
  package var baseline: String { path + "/baseline.json" }
  package var retries: String { path + "/retries" }
  package var differences: String { path + "/differences" }

  /// All that Galley ever writes here.
  private var contents: [String] {
    [
      screenshots, events, result, exploration, graph, states, scenarios, trials, observations, baseline, retries,
      differences, measurements,
    ] + filmstrip
  }

  /// Creates the folder if need be and makes sure that it can be written to.
  package func create() throws(Fault) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard access(path, W_OK) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EACCES) }
    } catch {
      throw Fault.writing(path, error)
    }
  }

  /// Creates the folder and removes an earlier run's results from it, never anything else.
  package func prepare() throws(Fault) {
    try create()
    do {
      for leftover in contents where FileManager.default.fileExists(atPath: leftover) {
        try FileManager.default.removeItem(atPath: leftover)
      }
    } catch {
      throw Fault.writing(path, error)
    }
  }

  /// Writes `result.json` whole or not at all.
  package func write(_ record: RenderRecord) throws(Fault) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try encoder.encode(record).write(to: URL(filePath: result), options: .atomic)
    } catch {
      throw Fault.writing(result, error)
    }
  }
}
