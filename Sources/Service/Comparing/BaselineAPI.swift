internal import Application
internal import Comparison
internal import Creatives
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MRAID
internal import NIOCore
internal import RenderModel
internal import Scheduling

/// The routes about baselines.
struct BaselineAPI: Sendable {
  private struct List: Encodable {
    let baselines: [BaselineDocument]
  }

  let store: Store
  let data: DataFolder
  let bounds: ServiceSettings.Bounds
  let approver: Approver
  let reviews: ReviewDesk
  private let large = AsyncSemaphore(1)
  /// Lets one verification at a time through, since each writes beside the render and decodes whole images.
  private let verifying = AsyncSemaphore(1)
  /// Counts verifications, including those that wait.
  private let verifications = AsyncSemaphore(BaselineAPI.mostAtOnce)
  private static let mostAtOnce = 50

  private var baselines: BaselineStore { BaselineStore(data.baselines) }

  func add(to router: some RouterMethods<ServiceContext>) {
    router.get("/v1/baselines") { try await list($0, $1) }
    router.post("/v1/baselines/verify") { try await verify($0, $1) }
    router.get("/v1/baselines/:creative/:variant") { try await show($0, $1) }
    router.put("/v1/baselines/:creative/:variant") { try await approve($0, $1) }
    router.delete("/v1/baselines/:creative/:variant") { try await remove($0, $1) }
    router.get("/v1/baselines/:creative/:variant/screenshots/:name") { try await screenshot($0, $1) }
  }

  /// The key for `name@variant`; nil if a part can't be a part of a path.
  static func key(_ text: String) -> BaselineKey? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && SafeName.make(String($0)) == $0 }) else { return nil }
    return BaselineKey(creative: String(parts[0]), variant: String(parts[1]))
  }

  /// The key in the request's path.
  static func key(_ context: ServiceContext) throws -> BaselineKey {
    let parts = ["creative", "variant"].map { context.parameters.get($0)?.removingPercentEncoding ?? "" }
    guard let key = key(parts.joined(separator: "@")) else { throw Problem.missing("such baseline") }
    return key
  }

  private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    try await data.refreshBaselines()
    let documents = try baselines.keys().compactMap { key in
      try baselines.manifest(key).map { BaselineDocument(key, $0) }
    }
    return try Answer.json(List(baselines: documents))
  }

  private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let key = try Self.key(context)
    try await data.refreshBaselines()
    guard let manifest = try baselines.manifest(key) else { throw Problem.missing("baseline '\(key.text)'") }
    return try Answer.json(BaselineDocument(key, manifest))
  }

  /// Makes a render the baseline: all of it, or the named screenshots.
  private func approve(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.approve)
    let key = try Self.key(context)
    let reader = BodyReader(bounds: bounds, folder: UploadFolder(data), large: large, connection: context.connection)
    let members = try Submission.object(try await reader.bytes(request))
    var fields = FieldReader(members)
    let id = fields.text("render")
    let parts = fields.texts("parts", most: 500)
    let comment = fields.text("comment", longest: ReviewAPI.longestComment)
    let asVariants = fields.flag("variant") ?? false
    if id == nil, fields.problems.isEmpty { fields.noteProblem("render", "must be a render's id") }
    try fields.finish()
    let row = try await row(id ?? "", context.caller)
    guard row.status == .completed else {
      throw Problem(
        409, "render-not-completed",
        "render '\(row.id)' is \(row.status.rawValue): only a completed render can be approved")
    }
    try await data.refreshBaselines()
    let isNew = try baselines.manifest(key) == nil
    let ruling = ReviewDesk.Ruling(action: asVariants ? .variant : .approve, comment: comment, parts: parts)
    try await reviews.approve(row, as: key, ruling, by: context.caller.name)
    guard let manifest = try baselines.manifest(key) else { throw Problem.missing("baseline '\(key.text)'") }
    return try Answer.json(BaselineDocument(key, manifest), status: isNew ? .created : .ok)
  }

  /// A render that the caller may see.
  private func row(_ id: String, _ caller: Caller) async throws -> RenderRow {
    let row = RenderID.isOne(id) ? try await store.latest(id) : nil
    return try await data.atHome(try row.visible(as: id) { $0.owner == caller.name || caller.may(.readAll) })
  }

  /// Compares a finished render with a baseline, which stays as it is.
  private func verify(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let reader = BodyReader(bounds: bounds, folder: UploadFolder(data), large: large, connection: context.connection)
    var fields = FieldReader(try Submission.object(try await reader.bytes(request)))
    let id = fields.text("render")
    let named = fields.text("baseline", longest: 400)
    let isAcross = fields.flag("acrossFingerprints") ?? false
    if id == nil, fields.problems.isEmpty { fields.noteProblem("render", "must be a render's id") }
    let given = named.flatMap(Self.key)
    if named != nil, given == nil { fields.noteProblem("baseline", "must be like name@variant") }
    try fields.finish()
    let row = try await row(id ?? "", context.caller)
    guard row.status.isFinal else {
      throw Problem(409, "render-not-finished", "render '\(row.id)' hasn't ended yet", retryAfter: 1)
    }
    let key = given ?? BaselineVariant.key(row)
    let document = try await verifications.passAtOnce {
      try await verifying.pass { try await approver.verify(row, against: key, isAcross: isAcross) }
    }
    guard let document else {
      throw Problem(
        429, "comparisons-too-many", "\(Self.mostAtOnce) comparisons are in progress; try again", retryAfter: 5)
    }
    return try Answer.json(document)
  }

  private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.approve)
    let key = try Self.key(context)
    try await data.refreshBaselines()
    guard try baselines.manifest(key) != nil else { throw Problem.missing("baseline '\(key.text)'") }
    try await reviews.remove(key, by: context.caller.name)
    return Response(status: .noContent)
  }

  private func screenshot(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let key = try Self.key(context)
    let given = context.parameters.get("name") ?? ""
    let name = given.hasSuffix(".png") ? String(given.dropLast(4)) : given
    try await data.refreshBaselines()
    guard let screenshot = try baselines.manifest(key)?.screenshots.first(where: { $0.name == name }) else {
      throw Problem.missing("screenshot '\(name.prefix(80))' of baseline '\(key.text)'")
    }
    return Answer.bytes(ByteBuffer(bytes: try baselines.object("\(screenshot.sha256).png")), type: "image/png")
  }

  /// Compares a render with the baseline of a key.
  ///
  /// - Throws: a problem if there is no such baseline, or if another fingerprint drew it.
  func compare(_ row: RenderRow, with key: BaselineKey, _ pair: RenderPair) async throws -> ResultVerdict {
    try await data.refreshBaselines()
    guard let recorded = try RecordedBaseline(BaselineLocation(store: baselines, key: key, source: key.creative)) else {
      throw Problem.missing("baseline '\(key.text)'")
    }
    let (render, drawn, _) = try await approver.sight(row)
    let differences = recorded.fingerprint.differences(drawn)
    guard differences.isEmpty else {
      throw Problem(
        409, "baseline-fingerprint-differs",
        "another engine, device or font rendered the baseline: \(differences.joined(separator: "; "))")
    }
    return try await pair.baseline(recorded, render)
  }
}

/// A baseline as the API describes it.
struct BaselineDocument: Encodable {
  /// A screenshot and its address.
  struct Picture: Encodable {
    let name: String
    let sha256: String
    let url: String
    /// Addresses of other images that are accepted as well.
    let variants: [String]
  }

  let creative: String
  let variant: String
  let source: String
  let states: [String]
  let screenshots: [Picture]
  let url: String

  init(_ key: BaselineKey, _ manifest: BaselineManifest) {
    (creative, variant, source) = (key.creative, key.variant, manifest.source)
    states = manifest.states.map(\.rawValue)
    let base = Self.address(of: key)
    url = base
    screenshots = manifest.screenshots.map {
      Picture(
        name: $0.name, sha256: $0.sha256, url: "\(base)/screenshots/\(Self.escaped($0.name))",
        variants: ($0.variants ?? []).map { "/v1/pictures/\($0.sha256)" })
    }
  }

  /// The path of a baseline's address.
  static func address(of key: BaselineKey) -> String {
    "/v1/baselines/\(escaped(key.creative))/\(escaped(key.variant))"
  }

  /// Text percent-encoded as one part of an address's path.
  static func escaped(_ text: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
    return text.utf8.map { byte in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
