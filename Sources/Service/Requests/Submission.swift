package import Core
internal import Creatives
internal import FoundationEssentials

/// A whole request for a render: the creative, and everything said about it.
package struct Submission: Sendable {
  package let creative: Creative
  package let request: RenderRequest
  /// What answers the creative's requests; nil for the network.
  package let recording: AnsweringRecording?

  /// Reads a JSON document.
  package init(json body: [UInt8], bounds: ServiceSettings.Bounds) throws(Problem) {
    try self.init(members: try Self.object(body), bounds: bounds)
  }

  /// Reads a JSON object; what is none is refused.
  package static func object(_ body: [UInt8]) throws(Problem) -> [String: JSONValue] {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(body)) else {
      throw Problem(400, "json-invalid", "the body isn't readable as JSON")
    }
    guard let members = value.object else { throw Problem(400, "json-invalid", "the body must be a JSON object") }
    return members
  }

  private init(members: [String: JSONValue], bounds: ServiceSettings.Bounds) throws(Problem) {
    var reader = FieldReader(members)
    let creative = Self.creative(&reader)
    try self.init(&reader, creative, nil, bounds)
  }

  /// Reads a form: a file called `creative`, or `markup` or `url`, and the rest as in JSON; `options` may hold that.
  package init(form parts: [FormPart], bounds: ServiceSettings.Bounds) throws(Problem) {
    var members: [String: JSONValue] = [:]
    var file: Creative?
    var recording: SpooledFile?
    for part in parts {
      if case .file(let spooled) = part.content {
        // A form whose file wasn't chosen, or whose markup wasn't filled in, sends an empty one.
        if part.fileName ?? "" == "", spooled.size == 0 { continue }
        if part.name == "recording" {
          guard recording == nil else { throw .invalid([Problem.Field(part.name, "may be there once only")]) }
          recording = spooled
          continue
        }
        guard file == nil else { throw .invalid([Problem.Field(part.name, "excludes another creative")]) }
        file = .file(spooled, name: part.name == "markup" ? nil : part.fileName)
        continue
      }
      guard let text = part.text else { throw .invalid([Problem.Field(part.name, "isn't UTF-8")]) }
      if part.name == "options" {
        guard let options = try? Self.object(Array(text.utf8)) else {
          throw .invalid([Problem.Field(part.name, "must be a JSON object")])
        }
        members.merge(options) { _, later in later }
      } else {
        guard members.updateValue(.string(text), forKey: part.name) == nil else {
          throw .invalid([Problem.Field(part.name, "may be there once only")])
        }
      }
    }
    var reader = FieldReader(members, isForm: true)
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
    request = RenderRequest(&reader, name: name, url: address, isAnswered: recording != nil, bounds: bounds)
    self.recording = recording.map { .file($0) } ?? request.replay.map { .render($0) }
    if creative == nil, reader.problems.isEmpty {
      reader.noteProblem("markup", "a creative is missing: markup, url, zip, again, or a file called creative")
    }
    try reader.finish()
    guard let creative else { throw .invalid([]) }
    self.creative = creative
  }

  /// The same with the creative's bytes in a file, so that nobody holds them.
  func spooled(to folder: UploadFolder) throws(Fault) -> Submission {
    guard case .bytes(let bytes) = creative else { return self }
    let spool = try folder.spool("creative")
    try spool.write(bytes)
    return Submission(creative: .file(spool.finish(), name: nil), request: request, recording: recording)
  }

  private init(creative: Creative, request: RenderRequest, recording: AnsweringRecording?) {
    (self.creative, self.request, self.recording) = (creative, request, recording)
  }

  /// The same, with the recording that answers it known by its bytes.
  func answered(by hash: String) -> Submission {
    var request = request
    request.recording = hash
    return Submission(creative: creative, request: request, recording: recording)
  }

  /// The same of the creative that another render was of, as its file or address is found; named as that unless said.
  func again(_ row: RenderRow, in data: DataFolder, uploads: UploadFolder) throws(Fault) -> Submission {
    var request = request
    if request.name == CreativeName.of(given: nil, creative: nil) { request.name = row.name }
    let folder = data.render(row.id)
    guard let name = CreativeUploader.file(in: folder) else {
      guard let url = RenderRequest.read(row.request)?.url else {
        throw .engine("data-lost", "the creative of \(row.id) isn't there any more")
      }
      request.url = url
      return Submission(creative: .address(url), request: request, recording: recording)
    }
    let spool = try uploads.spool("again")
    guard let bytes = FileContents.read("\(folder.creative)/\(name)") else {
      throw .engine("data-lost", "the creative of \(row.id) isn't there any more")
    }
    try spool.write(bytes)
    return Submission(creative: .file(spool.finish(), name: name), request: request, recording: recording)
  }

  /// What `markup`, `url` and `zip` say, of which one may be there.
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
        found.append(("zip", .bytes(Array(zip))))
      } else {
        reader.noteProblem("zip", "must be a zip in base64")
      }
    }
    for (name, _) in found.dropFirst() { reader.noteProblem(name, "excludes \(found[0].0)") }
    return found.first?.1
  }
}

/// What a creative is called, in lists and as a folder.
enum CreativeName {
  /// What the caller says, else the file's name or the address, else `creative`; safe as one part of a path.
  static func of(given: String?, creative: Creative?) -> String {
    let name = written(given: given, creative: creative)
    // One stands for standard input, the other for the report beside the result.
    return ["-", "report.json"].contains(name) ? "creative" : name
  }

  private static func written(given: String?, creative: Creative?) -> String {
    if let given { return SafeName.make(given) }
    switch creative {
    case .file(_, let name?): return SafeName.make(String(name.split(separator: "/").last ?? "creative"))
    case .address(let address):
      let rest = address.split(separator: "://", maxSplits: 1).last ?? ""
      return SafeName.make(String(rest.prefix { $0 != "?" && $0 != "#" }.prefix(80)))
    case .bytes, .file, .again, nil: return "creative"
    }
  }
}
