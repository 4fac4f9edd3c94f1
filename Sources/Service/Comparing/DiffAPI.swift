internal import Comparison
internal import Core
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RenderModel
internal import Scheduling

/// The routes for comparisons.
struct DiffAPI: Sendable {
  let renders: RenderAPI
  let baselines: BaselineAPI
  let shelf: DiffStore
  /// Limits concurrent comparisons to the number of jobs, since large images are decoded whole.
  private let decoding: AsyncSemaphore
  /// Counts comparisons from their first byte on, since their uploads take space on the disk.
  private let receiving = AsyncSemaphore(DiffAPI.mostAtOnce)
  private static let mostAtOnce = 50

  init(renders: RenderAPI, baselines: BaselineAPI, shelf: DiffStore) {
    (self.renders, self.baselines, self.shelf) = (renders, baselines, shelf)
    decoding = AsyncSemaphore(renders.scheduler.settings.jobs)
  }

  func add(to router: some RouterMethods<ServiceContext>) {
    router.post("/v1/diffs") { try await compare($0, $1) }
    router.get("/v1/diffs/:id") { try await show($0, $1) }
    router.get("/v1/diffs/:id/images/:name") { try await screenshot($0, $1) }
  }

  /// Compares two renders, a render and a baseline, or two PNG files.
  private func compare(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    guard let value = try await receiving.passAtOnce({ try await found(request, context) }) else {
      throw Problem(
        429, "comparisons-too-many", "\(Self.mostAtOnce) comparisons are in progress; try again", retryAfter: 5)
    }
    let id = value["id"]?.string ?? ""
    return try Answer.json(value, status: .created, headers: [.location: "/v1/diffs/\(id)"])
  }

  /// Reads the request in any of its forms, compares, and returns the document.
  private func found(_ request: Request, _ context: ServiceContext) async throws -> JSONValue {
    let type = request.headers[.contentType]?.lowercased() ?? ""
    let uploads = UploadFolder(renders.data)
    defer { uploads.remove() }
    let reader = BodyReader(
      bounds: renders.bounds, folder: uploads, large: renders.large, connection: context.connection)
    if type.hasPrefix("multipart/form-data") {
      return try await compare(files: try await reader.parts(request, files: ["first", "second"]))
    }
    guard type.hasPrefix("application/json") else {
      throw Problem(415, "media-type-unknown", "send application/json or multipart/form-data")
    }
    return try await compare(try DiffRequest(Submission.object(try await reader.bytes(request))), for: context.caller)
  }

  /// Compares and stores the result.
  func compare(_ request: DiffRequest, for caller: Caller) async throws -> JSONValue {
    let second = try await ended(request.second, caller)
    let (id, path) = try shelf.begin()
    let pair = RenderPair(pictures: path)
    let folder = renders.data.result(of: second)
    let results: [ResultVerdict]
    switch request.first {
    case .render(let other):
      let first = renders.data.result(of: try await ended(other, caller))
      results = try await decoding.pass { try await pair.results(first.path, folder.path) }
    case .baseline(let key):
      results = [try await decoding.pass { try await baselines.compare(second, with: key, pair) }]
    }
    return try await keep(id, results, request.first.text, request.second)
  }

  private func compare(files parts: [FormPart]) async throws -> JSONValue {
    let named = Dictionary(parts.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    guard let first = named["first"], let second = named["second"], parts.count == 2,
      case .file(let before) = first.content, case .file(let after) = second.content
    else {
      throw Problem.invalid([Problem.Field("first", "and second must be PNG files; no other fields are allowed")])
    }
    let (id, path) = try shelf.begin()
    let result = try await decoding.pass { try await RenderPair(pictures: path).files(before.path, after.path) }
    return try await keep(id, [result], first.fileName ?? "first", second.fileName ?? "second")
  }

  private func keep(
    _ id: String, _ results: [ResultVerdict], _ first: String, _ second: String
  ) async throws(Fault) -> JSONValue {
    let document = DiffDocument(first: first, second: second, results: results, exitCode: 0)
    let value = try shelf.keep(id, document, first: first, second: second)
    try await shelf.share(id)
    return value
  }

  /// A render that has ended and has a result to compare.
  private func ended(_ id: String, _ caller: Caller) async throws -> RenderRow {
    let row = try await renders.row(id, for: caller)
    guard row.status.isFinal else {
      throw Problem(409, "render-not-finished", "render '\(id)' hasn't ended yet", retryAfter: 1)
    }
    guard row.summary != nil else { throw Problem(409, "result-missing", "render '\(id)' has no result to compare") }
    return row
  }

  private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let id = context.parameters.get("id") ?? ""
    guard RenderID.isOne(id), let value = try await shelf.document(id) else {
      throw Problem.missing("comparison '\(id.prefix(40))'")
    }
    return try Answer.json(value)
  }

  private func screenshot(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let (id, name) = (context.parameters.get("id") ?? "", context.parameters.get("name") ?? "")
    guard RenderID.isOne(id), let bytes = try await shelf.screenshot(id, name) else {
      throw Problem.missing("screenshot '\(name.prefix(80))' of comparison '\(id.prefix(40))'")
    }
    return Answer.bytes(ByteBuffer(bytes: bytes), type: "image/png")
  }
}

/// The two sides of a comparison.
struct DiffRequest: Hashable, Sendable {
  /// The first side, with which the second is compared.
  enum First: Hashable, Sendable {
    case render(String)
    case baseline(BaselineKey)

    /// The name of the side in the document.
    var text: String {
      switch self {
      case .render(let id): id
      case .baseline(let key): key.text
      }
    }
  }

  let first: First
  let second: String

  /// `{"first": id, "second": id}` or `{"baseline": "name@variant", "second": id}`.
  init(_ members: [String: JSONValue]) throws(Problem) {
    var reader = FieldReader(members)
    let render = reader.text("first")
    let baseline = reader.text("baseline", longest: 400)
    let second = reader.text("second")
    if render != nil, baseline != nil { reader.noteProblem("baseline", "excludes first") }
    let key = baseline.flatMap(BaselineAPI.key)
    if baseline != nil, key == nil { reader.noteProblem("baseline", "must be like name@variant") }
    try reader.finish()
    let first = key.map(First.baseline) ?? render.map(First.render)
    guard let first, let second else {
      var missing: [Problem.Field] = []
      if first == nil {
        missing.append(Problem.Field("first", "is missing: set it to a render's id, or set baseline"))
      }
      if second == nil { missing.append(Problem.Field("second", "is missing: set it to a render's id")) }
      throw .invalid(missing)
    }
    (self.first, self.second) = (first, second)
  }
}
