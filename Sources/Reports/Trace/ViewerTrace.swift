internal import Checks
package import Core
internal import FoundationEssentials
package import RenderModel

/// Render in the form of Playwright's trace viewer: version 8 of its format, which later viewers read as well.
///
/// The same result gives the same files.
package struct ViewerTrace: Sendable {
  /// File of the archive.
  package struct File: Hashable, Sendable {
    package let name: String
    package let bytes: [UInt8]
  }

  package let files: [File]

  /// Reads the results of a render from a folder, whose path is absolute.
  package init(of folder: ResultFolder) throws(Fault) {
    let record: RenderRecord
    do throws(ResultProblem) {
      record = try folder.record()
    } catch {
      throw Self.unreadable(folder, error)
    }
    let source = ReportSource(unjudged: record, name: ".", results: folder.path)
    self.init(ResultFiles(source: source, creative: source.report.creatives[0]), folder: folder, record: record)
  }

  private init(_ files: ResultFiles, folder: ResultFolder, record: RenderRecord) {
    let (events, measurements) = (files.events, files.measurements)
    let requests = NetworkRequest.all(measurements, events)
    let timeline = Timeline(record: record, events: events, requests: requests, measurements: measurements)
    var store = TraceStore(folder: folder)
    let actions = TraceActions(record: record, events: events, timeline: timeline, store: &store)
    var lines = [Self.head(record, began: files.began)]
    lines += actions.lines
    lines += TracePictures(record: record, timeline: timeline, actions: actions.all, store: &store).lines
    lines += events.compactMap(TraceLine.event)
    let network = requests.compactMap { TraceLine.request($0, began: files.began) }
    if let scenario = TraceLine.scenario(record.steps ?? []) { store.add(TraceLine.scenarioFile, Array(scenario.utf8)) }
    self.files =
      [File(name: "trace.trace", bytes: Self.text(lines)), File(name: "trace.network", bytes: Self.text(network))]
      + store.files
  }

  private static func head(_ record: RenderRecord, began: Double) -> JSONValue {
    [
      "type": "context-options", "version": 8, "origin": "library", "browserName": "webkit",
      "channel": .string(record.engine.map { "WebKitGTK \($0.webkit)" } ?? "WebKitGTK"), "platform": "linux",
      "sdkLanguage": "javascript", "wallTime": .number(began), "monotonicTime": TraceLine.time(0),
      "title": .string(ReportText.line(record.creative.path)),
      "options": [
        "viewport": ["width": .number(record.device.width), "height": .number(record.device.height)],
        "deviceScaleFactor": .number(record.device.scale),
      ],
    ]
  }

  private static func text(_ lines: [JSONValue]) -> [UInt8] {
    Array(lines.map { $0.text + "\n" }.joined().utf8)
  }

  private static func unreadable(_ folder: ResultFolder, _ problem: ResultProblem) -> Fault {
    switch problem {
    case .unreadable:
      .request(.resultFolderMissing, "there is no result.json in \(folder.path): it isn't the folder of a render")
    case .broken: .request("result-unreadable", "\(folder.result) isn't the result of a render")
    case .schema(let version):
      .request(
        "result-unreadable", "\(folder.result) has version \(version), this galley reads \(Galley.schema): render again"
      )
    }
  }
}

/// Files that a trace refers to, each once and named by its contents.
struct TraceStore {
  /// Maximum size in bytes of a single file, and of all files together.
  private static let largest = (file: 64 << 20, all: 512 << 20)

  private let folder: ResultFolder
  private(set) var files: [ViewerTrace.File] = []
  private var names: [String: String] = [:]
  private var total = 0

  init(folder: ResultFolder) { self.folder = folder }

  /// Adds a file of the result and returns its name among the resources; nil if it can't be read.
  mutating func take(_ path: String) -> String? {
    if let name = names[path] { return name }
    guard let bytes = read(path) else { return nil }
    let name = "\(SHA256.of(bytes).hex.prefix(40)).\(AbsolutePath.stem(path).fileExtension)"
    names[path] = name
    add("resources/\(name)", bytes)
    return name
  }

  /// Returns the contents of a file of the result; nil for a file outside of it, and once the total limit is reached.
  func read(_ path: String) -> [UInt8]? {
    guard AbsolutePath.isOwn(path, in: folder.path), total < Self.largest.all else { return nil }
    return try? FileReading.regular(folder.file(path), most: Self.largest.file, followsLinks: false)
  }

  /// Adds a file unless there is one with its name.
  mutating func add(_ name: String, _ bytes: [UInt8]) {
    guard !files.contains(where: { $0.name == name }) else { return }
    total += bytes.count
    files.append(ViewerTrace.File(name: name, bytes: bytes))
  }
}
