package import Core
internal import FoundationEssentials
internal import Glibc

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
      throw Fault.writing(path, error, isNamed: true)
    }
  }

  /// Creates the folder and removes an earlier run's results from it, never anything else.
  /// - Throws: a request's fault when something of a result's name is there that no render left.
  package func prepare() throws(Fault) {
    if let strange = firstStrange {
      throw .request("output-not-a-result", "\(strange) wasn't left by a render, so it stays: choose another --out")
    }
    try clear()
  }

  /// The same in a folder that is known to be for results alone.
  package func clear() throws(Fault) {
    try create()
    do {
      for leftover in contents where FileManager.default.fileExists(atPath: leftover) {
        try FileManager.default.removeItem(atPath: leftover)
      }
    } catch {
      throw Fault.writing(path, error)
    }
  }

  /// What would be removed though nothing says that a render left it.
  private var firstStrange: String? {
    guard !isResult else { return nil }
    // A render that was killed early leaves a log without events, and folders without files.
    return contents.first { path in
      Self.files(in: path).contains { $0 != events || Self.regular($0)?.isEmpty != true }
    }
  }

  /// Whether a render left it, finished or not, or an exploration's first trials.
  package var isResult: Bool {
    if let record = Self.regular(result) { return RecordShape.isShape(of: record) }
    let trials = (try? FileManager.default.contentsOfDirectory(atPath: trials)) ?? []
    return ([events] + trials.map { "\(self.trials)/\($0)/events.ndjson" }).contains { path in
      let first = Self.regular(path)?.prefix(1 << 20).prefix { $0 != UInt8(ascii: "\n") }
      return EventShape.isShape(of: first)
    }
  }

  /// The path itself where it is a file or link, else all files below; none where nothing is.
  private static func files(in path: String) -> [String] {
    let files = FileManager.default
    guard let type = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType else { return [] }
    guard type == .typeDirectory else { return [path] }
    return (try? files.contentsOfDirectory(atPath: path))?.flatMap { Self.files(in: "\(path)/\($0)") } ?? [path]
  }

  /// What a regular file holds; nil where there is none, since reading a pipe would wait.
  private static func regular(_ path: String) -> Data? {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    return type == .typeRegular ? try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) : nil
  }

  /// Writes `result.json` whole or not at all.
  package func write(_ record: RenderRecord) throws(Fault) {
    do {
      try OutputFile.write(String(decoding: JSONText.bytes(record, isIndented: true), as: UTF8.self), to: result)
    } catch {
      throw Fault.writing(result, error)
    }
  }
}

/// What every version's record has, so that it is known as one.
private struct RecordShape: Decodable {
  let schema: Int
  let outcome: String
  let creative: RenderRecord.Creative
}

/// The same of a log's events.
private struct EventShape: Decodable {
  let seq: Int
  let source: String
  let name: String
}

extension Decodable {
  fileprivate static func isShape(of data: Data?) -> Bool {
    data.map { (try? JSONDecoder().decode(Self.self, from: $0)) != nil } ?? false
  }
}
