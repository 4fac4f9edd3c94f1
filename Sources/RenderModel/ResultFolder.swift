package import Core
internal import FoundationEssentials
internal import Glibc
internal import Pixels

/// The folder one creative's results go to.
package struct ResultFolder: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  package var screenshots: String { path + "/screenshots" }
  /// Where a render's requests are kept, below its folder.
  package static let recording = "recording"
  package var recording: String { "\(path)/\(Self.recording)" }
  /// The same as one file, where it is kept with the result.
  package var recordingFile: String { recording + ".zip" }
  package var events: String { path + "/events.ndjson" }
  package var result: String { path + "/result.json" }
  /// What exploring adds: the document, the graph, a picture of each state, and scenarios that replay the ways.
  package var exploration: String { path + "/exploration.json" }
  package var graph: String { path + "/graph.mmd" }
  package var states: String { path + "/states" }
  package var scenarios: String { path + "/scenarios" }
  /// The renders that exploring makes; gone when it is done.
  package var trials: String { path + "/trials" }
  package var observations: String { path + "/" + PageSnapshot.fileName }
  package var measurements: String { path + "/" + Measurements.fileName }
  private var filmstrip: [String] { [path + "/filmstrip.png", path + "/filmstrip-animation.png"] }
  /// What a film was taken on, until it is encoded.
  package var film: String { path + "/" + FilmRequest.fileName }
  /// What verifying against a baseline adds: the findings, further renders, pictures of differences.
  package var baseline: String { path + "/baseline.json" }
  package var retries: String { path + "/retries" }
  package var differences: String { path + "/differences" }

  /// All that Galley ever writes here.
  private var contents: [String] {
    [
      screenshots, events, result, exploration, graph, states, scenarios, trials, observations, baseline, retries,
      differences, measurements, film, recording, recordingFile,
    ] + filmstrip + StillFormat.allCases.map { "\(path)/\(BackupRequest.fileName($0))" }
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
}

extension ResultFolder {
  /// Folders that a search goes down, and results that it finds at the most.
  private static let (deepest, mostFound) = (8, 5_000)

  /// The paths of all results below a folder, from there and sorted; links aren't followed.
  package static func names(below folder: String) -> [String] {
    var (found, waiting) = ([String](), [(name: "", depth: 0)])
    while let (name, depth) = waiting.popLast(), found.count < mostFound {
      let path = name.isEmpty ? folder : "\(folder)/\(name)"
      if !name.isEmpty, ResultFolder(path).isResult {
        found.append(name)
      } else if depth < deepest {
        let inner = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted().reversed()
        for part in inner where !part.hasPrefix(".") {
          let type = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(part)")[.type] as? FileAttributeType
          if type == .typeDirectory { waiting.append((name.isEmpty ? part : "\(name)/\(part)", depth + 1)) }
        }
      }
    }
    return found
  }

  /// Makes the folder and its `screenshots`, for a render that begins.
  package static func begin(_ path: String) throws(Fault) -> ResultFolder {
    let folder = ResultFolder(path)
    do {
      try FileManager.default.createDirectory(atPath: folder.screenshots, withIntermediateDirectories: true)
    } catch {
      throw .writing(path, error)
    }
    return folder
  }

  /// Whether the file at a path below the folder is on disk.
  package func holds(_ file: String) -> Bool { access(self.file(file), F_OK) == 0 }

  /// Forgets the pictures of a render that is begun anew.
  package func removeScreenshots() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: screenshots)) ?? [] {
      try? FileManager.default.removeItem(atPath: "\(screenshots)/\(name)")
    }
  }

  /// Writes `result.json` whole or not at all.
  package func write(_ record: RenderRecord) throws(Fault) { try write(record, to: result) }

  /// Writes what a render that explores noted; the fault, if any.
  @concurrent package func write(_ observations: [PageSnapshot]) async -> Fault? {
    fault { () throws(Fault) in try write(observations, to: self.observations, isIndented: false) }
  }

  /// Writes what a render that measures found; the fault, if any.
  @concurrent package func write(_ measurements: Measurements) async -> Fault? {
    fault { () throws(Fault) in try write(measurements, to: self.measurements) }
  }

  /// A document that can't be written leaves no file, or who reads it would take an empty one for the whole.
  private func write(_ document: some Encodable, to file: String, isIndented: Bool = true) throws(Fault) {
    do {
      try Data(JSONText.bytes(document, isIndented: isIndented)).write(to: URL(filePath: file), options: .atomic)
    } catch {
      throw .writing(file, error)
    }
  }

  private func fault(_ work: () throws(Fault) -> Void) -> Fault? {
    do throws(Fault) {
      try work()
      return nil
    } catch {
      return error
    }
  }
}

/// Why a document that a render left wasn't read.
package enum ResultProblem: Error, Hashable, Sendable {
  /// There is no readable file of bounded size.
  case unreadable
  /// It is no such document.
  case broken
  /// It is of another version, which this says.
  case schema(Int)
}

extension ResultFolder {
  /// The most bytes of a document: well beyond what a render writes.
  private static let largest = 256 << 20

  package var log: EventLogFile { EventLogFile(events) }

  /// A file by its path below the folder.
  package func file(_ path: String) -> String { "\(self.path)/\(path)" }

  /// What the render found.
  package func record() throws(ResultProblem) -> RenderRecord { try Self.record(at: result) }

  /// The record in a file of any name.
  package static func record(at file: String) throws(ResultProblem) -> RenderRecord {
    let record: RenderRecord = try read(file)
    guard record.schema == Galley.schema else { throw .schema(record.schema) }
    return record
  }

  /// What a render that explores noted; nothing where there is no such file, or another.
  package func readObservations() -> [PageSnapshot] { (try? Self.read(observations)) ?? [] }

  /// What a render that measures found; nil for one that doesn't.
  package func readMeasurements() -> Measurements? { try? Self.read(measurements) }

  private static func read<Document: Decodable>(_ path: String) throws(ResultProblem) -> Document {
    guard let bytes = try? FileReading.regular(path, most: largest, followsLinks: false) else { throw .unreadable }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else { throw .broken }
    return document
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
