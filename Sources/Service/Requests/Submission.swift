package import Core
internal import Creatives
internal import FoundationEssentials
package import Scheduling

/// A complete request for a render: the creative with all its parameters.
package struct Submission: Sendable {
  package let creative: Creative
  package let request: RenderRequest
  /// The recording that answers the creative's requests; nil for the network.
  package let recording: AnsweringRecording?

  /// Fields of a form that are stored as files, in whatever form they were sent.
  static let files: Set<String> = ["creative", "file", "markup", "recording"]

  /// Parses a JSON document.
  package init(json body: [UInt8], bounds: ServiceSettings.Bounds) throws(Problem) {
    try self.init(members: try Self.object(body), bounds: bounds)
  }

  /// Parses a JSON object; any other value is rejected.
  package static func object(_ body: [UInt8]) throws(Problem) -> [String: JSONValue] {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(body)) else {
      throw Problem(400, "json-invalid", "the body isn't valid JSON")
    }
    guard let members = value.object else { throw Problem(400, "json-invalid", "the body must be a JSON object") }
    return members
  }

  private init(members: [String: JSONValue], bounds: ServiceSettings.Bounds) throws(Problem) {
    var reader = FieldReader(members)
    let creative = Self.creative(&reader)
    try self.init(&reader, creative, nil, bounds)
  }

  /// Parses a form: a file called `creative`, or `markup` or `url`, and the other members as in JSON.
  ///
  /// The field `options` may hold any of them as a JSON object.
  package init(form parts: [FormPart], bounds: ServiceSettings.Bounds) throws(Problem) {
    var members: [String: JSONValue] = [:]
    var file: Creative?
    var recording: SpooledFile?
    var unreadable: Set<String> = []
    for part in parts {
      if case .file(let spooled) = part.content {
        // A form whose file wasn't chosen, or whose markup wasn't filled in, sends an empty one.
        if part.fileName ?? "" == "", spooled.size == 0 { continue }
        if part.name == "recording" {
          guard recording == nil else { throw .invalid([Problem.Field(part.name, "must not be repeated")]) }
          recording = spooled
          continue
        }
        guard file == nil else { throw .invalid([Problem.Field(part.name, "excludes another creative")]) }
        file = .file(spooled, name: part.name == "markup" ? nil : part.fileName)
        continue
      }
      guard let text = part.text else {
        unreadable.insert(part.name)
        continue
      }
      if part.name == "options" {
        guard let options = try? Self.object(Array(text.utf8)) else {
          throw .invalid([Problem.Field(part.name, "must be a JSON object")])
        }
        members.merge(options) { _, later in later }
      } else {
        guard members.updateValue(.string(text), forKey: part.name) == nil else {
          throw .invalid([Problem.Field(part.name, "must not be repeated")])
        }
      }
    }
    var reader = FieldReader(members, isForm: true, unreadable: unreadable, others: Self.files.union(["options"]))
    let other = Self.creative(&reader)
    if file != nil, other != nil { reader.noteProblem("creative", "excludes markup, url, zip and again") }
    try self.init(&reader, file ?? other, recording, bounds)
  }

  private init(
    _ reader: inout FieldReader, _ creative: Creative?, _ recording: SpooledFile?, _ bounds: ServiceSettings.Bounds
  ) throws(Problem) {
    let given = reader.text("name", longest: 100)
    var address: String?
    if case .address(let url) = creative { address = url }
    let name = CreativeName.of(given: given, creative: creative)
    var request = RenderRequest(&reader, name: name, url: address, isAnswered: recording != nil, bounds: bounds)
    if given == nil, let entry = request.entry { request.name = CreativeName.of(entry, in: name) }
    self.request = request
    self.recording = recording.map { .file($0) } ?? request.replay.map { .render($0) }
    try reader.finish()
    guard let creative else {
      let detail = "a creative is missing: markup, url, zip, again, or a file called creative"
      throw .invalid([Problem.Field("markup", detail)])
    }
    self.creative = creative
  }

  /// The submission with the creative's bytes moved to a file, so that they aren't kept in memory.
  func spooled(to folder: UploadFolder) throws(Fault) -> Submission {
    let bytes: [UInt8]
    switch creative {
    case .bytes(let markup): bytes = markup
    case .zip(let zip): bytes = zip
    case .file, .address, .again: return self
    }
    let spool = try folder.spool("creative")
    try spool.write(bytes)
    return Submission(
      creative: .file(spool.finish(), name: creative.fileName), request: request, recording: recording)
  }

  private init(creative: Creative, request: RenderRequest, recording: AnsweringRecording?) {
    (self.creative, self.request, self.recording) = (creative, request, recording)
  }

  /// The submission with the hash of the recording that answers its requests.
  func answered(by hash: String) -> Submission {
    var request = request
    request.recording = hash
    return Submission(creative: creative, request: request, recording: recording)
  }

  /// The submission with the creative of another render, read from its file or address.
  ///
  /// It takes the other render's name unless it has its own.
  func again(_ row: RenderRow, in data: DataFolder, uploads: UploadFolder) throws(Fault) -> Submission {
    var request = request
    if request.name == CreativeName.of(given: nil, creative: nil) { request.name = row.name }
    if request.entry == nil { request.entry = RenderRequest.read(row.request)?.entry }
    let folder = data.render(row.id)
    guard let name = folder.creativeFile else {
      guard let url = RenderRequest.read(row.request)?.url else {
        throw .engine(.dataLost, "the creative of render '\(row.id)' is missing")
      }
      request.url = url
      return Submission(creative: .address(url), request: request, recording: recording)
    }
    let spool = try uploads.spool("again")
    guard let bytes = FileContents.read("\(folder.creative)/\(name)") else {
      throw .engine(.dataLost, "the creative of render '\(row.id)' is missing")
    }
    try spool.write(bytes)
    return Submission(creative: .file(spool.finish(), name: name), request: request, recording: recording)
  }

  /// The creative in `markup`, `url`, `again` or `zip`, of which at most one may be given.
  private static func creative(_ reader: inout FieldReader) -> Creative? {
    var found: [(String, Creative)] = []
    if let value = reader.value("markup") {
      if let markup = value.string {
        found.append(("markup", .bytes(Array(markup.utf8))))
      } else {
        reader.noteProblem("markup", "must be a string")
      }
    }
    if let url = reader.text("url", longest: 4000) { found.append(("url", .address(url))) }
    if let id = reader.text("again", longest: 40) { found.append(("again", .again(id))) }
    if let value = reader.value("zip") {
      if let zip = value.string.flatMap({ Data(base64Encoded: $0) }) {
        found.append(("zip", .zip(Array(zip))))
      } else {
        reader.noteProblem("zip", "must be a zip in base64")
      }
    }
    for (name, _) in found.dropFirst() { reader.noteProblem(name, "excludes \(found[0].0)") }
    return found.first?.1
  }
}

/// Display name of a creative, which is also the name of its folder.
enum CreativeName {
  /// The caller's name, else that of the file or address, else one derived from the contents; safe as one part of a
  /// path.
  ///
  /// A name distinguishes one baseline from another, so two unnamed tags have different names.
  static func of(given: String?, creative: Creative?) -> String {
    let name = written(given: given, creative: creative)
    // One stands for standard input, the other for the report beside the result.
    return ["-", "report.json"].contains(name) ? "creative" : name
  }

  /// The name of a creative in a zip: that of the zip, and its folder or page.
  static func of(_ entry: String, in zip: String) -> String {
    let way = entry.split(separator: "/").map(String.init)
    let isIndex = way.count > 1 && AbsolutePath.stem(way[way.count - 1]).stem == "index"
    let own = isIndex ? way.dropLast() : way.dropLast() + [AbsolutePath.stem(way.last ?? "").stem]
    return SafeName.make(([AbsolutePath.stem(zip).stem] + own).joined(separator: "-"))
  }

  private static func mark(of creative: Creative?) -> String { String(creative?.hash.prefix(8) ?? "") }

  private static func written(given: String?, creative: Creative?) -> String {
    if let given { return SafeName.make(given) }
    switch creative {
    case .file(_, let name?): return SafeName.make(String(name.split(separator: "/").last ?? "creative"))
    case .address(let address):
      let rest = address.split(separator: "://", maxSplits: 1).last ?? ""
      let name = SafeName.make(String(rest.prefix { $0 != "?" && $0 != "#" }.prefix(80)))
      return rest.contains { $0 == "?" || $0 == "#" } ? "\(name)-\(mark(of: creative))" : name
    case .bytes, .zip, .file: return "creative-\(mark(of: creative))"
    case .again, nil: return "creative"
    }
  }
}
