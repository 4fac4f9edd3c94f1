package import Core
internal import FoundationEssentials
internal import Glibc
internal import Pixels

/// The folder with the results of one creative.
package struct ResultFolder: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  package var screenshots: String { path + "/screenshots" }
  /// Name of the folder with the render's recorded requests, inside the result folder.
  package static let recording = "recording"
  package var recording: String { "\(path)/\(Self.recording)" }
  /// The recording as one file, if it is kept together with the result.
  package var recordingFile: String { recording + ".zip" }
  package var events: String { path + "/events.ndjson" }
  package var result: String { path + "/result.json" }
  /// Files added by exploring: the document, the graph, a screenshot of each state, and scenarios to replay paths.
  package var exploration: String { path + "/exploration.json" }
  package var graph: String { path + "/graph.mmd" }
  package var states: String { path + "/states" }
  package var scenarios: String { path + "/scenarios" }
  /// Renders made by exploring; removed when it is done.
  package var trials: String { path + "/trials" }
  package var observations: String { path + "/" + PageSnapshot.fileName }
  package var measurements: String { path + "/" + Measurements.fileName }
  private var filmstrip: [String] { [path + "/filmstrip.png", path + "/filmstrip-animation.png"] }
  /// File with the frames of a film until it is encoded.
  package var film: String { path + "/" + FilmRequest.fileName }
  /// Name of the recording of the fullest way through a playable, which `check --film` adds.
  package static let encodedFilm = "film.webp"
  package var encodedFilm: String { "\(path)/\(Self.encodedFilm)" }
  /// Files added by verification against a baseline: the findings, further renders, and images of the differences.
  package var baseline: String { path + "/baseline.json" }
  package var retries: String { path + "/retries" }
  package var differences: String { path + "/differences" }

  /// All paths that Galley may ever write in the folder.
  private var contents: [String] {
    [
      screenshots, events, result, exploration, graph, states, scenarios, trials, observations, baseline, retries,
      differences, measurements, film, encodedFilm, recording, recordingFile,
    ] + filmstrip + StillFormat.allCases.map { "\(path)/\(BackupRequest.fileName($0))" }
  }

  /// Creates the folder if necessary and ensures that it can be written to.
  package func create() throws(Fault) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard access(path, W_OK) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EACCES) }
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
  }

  /// Creates the folder and removes an earlier run's results from it, but nothing else.
  ///
  /// - Throws: a fault of the request if a file with the name of a result is there that no render left.
  package func prepare() throws(Fault) {
    if let strange = firstStrange {
      throw .request(
        "output-not-a-result", "\(strange) wasn't written by a render, so it isn't replaced: choose another --out")
    }
    try clear()
  }

  /// The same for a folder that is known to contain results only.
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

  /// The first path that would be removed although nothing shows that a render left it; nil if there is none.
  private var firstStrange: String? {
    guard !isResult else { return nil }
    // A render that was killed early leaves a log without events, and folders without files.
    return contents.first { path in
      Self.files(in: path).contains { $0 != events || Self.regular($0)?.isEmpty != true }
    }
  }

  /// Indicates if the folder was left by a render, finished or not, or by the first trials of an exploration.
  package var isResult: Bool {
    if let record = Self.regular(result) { return RecordShape.isShape(of: record) }
    let trials = (try? FileManager.default.contentsOfDirectory(atPath: trials)) ?? []
    return ([events] + trials.map { "\(self.trials)/\($0)/events.ndjson" }).contains { path in
      let first = Self.regular(path)?.prefix(1 << 20).prefix { $0 != UInt8(ascii: "\n") }
      return EventShape.isShape(of: first)
    }
  }

  /// The path itself for a file or link, all files below it for a folder; empty if nothing is there.
  private static func files(in path: String) -> [String] {
    let files = FileManager.default
    guard let type = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType else { return [] }
    guard type == .typeDirectory else { return [path] }
    return (try? files.contentsOfDirectory(atPath: path))?.flatMap { Self.files(in: "\(path)/\($0)") } ?? [path]
  }

  /// Indicates if the file at an absolute path is a part of a result.
  package static func holdsPart(at path: String) -> Bool {
    let parent = AbsolutePath.split(path).parent
    return [parent, AbsolutePath.split(parent).parent].map { ResultFolder($0) }.contains { folder in
      folder.isResult && folder.contents.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
  }

  /// Contents of a regular file; nil for anything else, since reading a pipe would block.
  private static func regular(_ path: String) -> Data? {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    return type == .typeRegular ? try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) : nil
  }
}

extension ResultFolder {
  /// Maximum depth of folders in a search, and maximum number of results that it finds.
  private static let (deepest, mostFound) = (8, 5_000)

  /// Sorted paths of all results below a folder, relative to it; links aren't followed.
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

  /// Makes the folder and its `screenshots` for a new render.
  package static func begin(_ path: String) throws(Fault) -> ResultFolder {
    let folder = ResultFolder(path)
    do {
      try FileManager.default.createDirectory(atPath: folder.screenshots, withIntermediateDirectories: true)
    } catch {
      throw .writing(path, error)
    }
    return folder
  }

  /// Indicates if the file at a path below the folder exists.
  package func holds(_ file: String) -> Bool { access(self.file(file), F_OK) == 0 }

  /// Removes the screenshots of a render that is restarted.
  package func removeScreenshots() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: screenshots)) ?? [] {
      try? FileManager.default.removeItem(atPath: "\(screenshots)/\(name)")
    }
  }

  /// Writes `result.json` completely or not at all.
  package func write(_ record: RenderRecord) throws(Fault) { try write(record, to: result) }

  /// Writes the observations of a render that explores; returns the fault, if any.
  @concurrent package func write(_ observations: [PageSnapshot]) async -> Fault? {
    fault { () throws(Fault) in try write(observations, to: self.observations, isIndented: false) }
  }

  /// Writes the measurements of a render; returns the fault, if any.
  @concurrent package func write(_ measurements: Measurements) async -> Fault? {
    fault { () throws(Fault) in try write(measurements, to: self.measurements) }
  }

  /// Writes a document completely or not at all, so that no reader mistakes an incomplete file for a whole one.
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

/// Reason why a document left by a render wasn't read.
package enum ResultProblem: Error, Hashable, Sendable {
  /// There is no readable file of bounded size.
  case unreadable
  /// The file's content isn't such a document.
  case broken
  /// The document has this other version.
  case schema(Int)
}

extension ResultFolder {
  /// Maximum size of a document in bytes: well beyond the documents of a render.
  private static let largest = 256 << 20

  package var log: EventLogFile { EventLogFile(events) }

  /// Path of a file, given its path below the folder.
  package func file(_ path: String) -> String { "\(self.path)/\(path)" }

  /// Reads the render's record.
  package func record() throws(ResultProblem) -> RenderRecord { try Self.record(at: result) }

  /// Reads a record from a file of any name.
  package static func record(at file: String) throws(ResultProblem) -> RenderRecord {
    let record: RenderRecord = try read(file)
    guard record.schema == Galley.schema else { throw .schema(record.schema) }
    return record
  }

  /// Reads the observations of a render that explores; empty if the file is missing or isn't such a document.
  package func readObservations() -> [PageSnapshot] { (try? Self.read(observations)) ?? [] }

  /// Reads the measurements; nil for a render that made none.
  package func readMeasurements() -> Measurements? { try? Self.read(measurements) }

  private static func read<Document: Decodable>(_ path: String) throws(ResultProblem) -> Document {
    guard let bytes = try? FileReading.regular(path, most: largest, followsLinks: false) else { throw .unreadable }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else { throw .broken }
    return document
  }
}

/// Members that records of all versions have, by which a record is recognized.
private struct RecordShape: Decodable {
  let schema: Int
  let outcome: String
  let creative: RenderRecord.Creative
}

/// Members that events of all versions have, by which a log is recognized.
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
