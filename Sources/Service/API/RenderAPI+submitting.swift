internal import Core
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Recordings
internal import RenderModel
internal import Scheduling
internal import Telemetry

extension RenderAPI {
  /// Accepts a render, and waits for it as long as the client prefers.
  func submit(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.render)
    let prefer = Preference(request)
    let row = try await accept(request, context)
    var headers: HTTPFields = [.location: "/v1/renders/\(row.id)"]
    guard let seconds = prefer.wait else {
      return try Answer.json(RenderDocument(row), status: .accepted, headers: headers)
    }
    let ended = try await context.following { [connection = context.connection] in
      try await wait(for: row, seconds: Double(seconds), unless: connection)
    }
    // The wait is over sooner where another needs the connection's place.
    if context.connection?.hasGivenWay != true { headers[.preferenceApplied] = "wait=\(seconds)" }
    // It was accepted and may have ended, whether or not its files can be brought here right now.
    _ = try? await data.atHome(ended)
    return try Answer.json(try await document(ended), status: ended.status.isFinal ? .ok : .accepted, headers: headers)
  }

  /// Reads the request and adds its render to the queue.
  func accept(_ request: Request, _ context: ServiceContext) async throws -> RenderRow {
    let caller = context.caller
    if let seconds = authenticator.pause(for: caller, at: Instant.now) {
      gauges.rejected("rate-exceeded")
      throw Problem(429, "rate-exceeded", "this token sends too many requests", retryAfter: seconds)
    }
    let key = try Self.key(request)
    let uploads = UploadFolder(data)
    try await scheduler.expect(owner: caller.name, key: key, mostOfOwner: caller.concurrency)
    do {
      let row = try await receive(request, context, uploads, key: key)
      await scheduler.arrived(owner: caller.name)
      uploads.remove()
      return row
    } catch {
      await scheduler.arrived(owner: caller.name)
      uploads.remove()
      throw error
    }
  }

  private func receive(
    _ request: Request, _ context: ServiceContext, _ uploads: UploadFolder, key: String?
  ) async throws -> RenderRow {
    let reader = BodyReader(bounds: bounds, folder: uploads, large: large, connection: context.connection)
    var submission = try await reader.submission(request)
    if case .again(let id) = submission.creative {
      submission = try submission.again(try await row(id, for: context.caller), in: data, uploads: uploads)
    }
    try checkAddresses(submission)
    guard let asked = submission.recording else {
      return try await scheduler.accept(submission, nil, owner: context.caller.name, key: key)
    }
    let file = try await recording(asked, for: context.caller, in: uploads)
    // Unpacking takes its time and the disk.
    let taken = try await large.pass { try TakenRecording(file, in: uploads) }
    return try await scheduler.accept(
      submission.answered(by: file.hash), taken, owner: context.caller.name, key: key)
  }

  /// The file of the recording that answers requests: the uploaded one, or the one that another render kept or was
  /// answered by.
  private func recording(
    _ asked: AnsweringRecording, for caller: Caller, in uploads: UploadFolder
  ) async throws -> SpooledFile {
    guard case .render(let id) = asked else {
      guard case .file(let file) = asked else { throw Problem.missing("recording") }
      return file
    }
    let row = try await row(id, for: caller)
    guard let file = data.recording(of: row) else {
      let detail = "names a render without a recording: render it with record"
      throw Problem.invalid([Problem.Field("replay", detail)])
    }
    let spool = try uploads.spool("replay")
    try FilePieces.read(file) { try spool.write(Array($0)) }
    return spool.finish()
  }

  /// Waits until a render has ended or `seconds` have passed, and returns its latest state.
  ///
  /// The wait also ends when `connection` is needed for others.
  func wait(
    for row: RenderRow, seconds: Double, unless connection: Connection? = nil
  ) async throws -> RenderRow {
    let notices = renderEvents.follow(row.id)
    // It may have ended before anybody listened.
    if let now = try await store.render(row.id), now.status.isFinal { return now }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await notice in notices { if case .ended = notice { return } }
      }
      group.addTask { _ = try? await Task.sleep(for: Bounded.seconds(seconds)) }
      if let connection { group.addTask { for await _ in connection.untilItGivesWay() {} } }
      await group.next()
      group.cancelAll()
    }
    return try await store.render(row.id) ?? row
  }

  private static func key(_ request: Request) throws(Problem) -> String? {
    guard let name = HTTPField.Name("Idempotency-Key"), let key = request.headers[name] else { return nil }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Problem(400, "idempotency-key-invalid", "Idempotency-Key must have 1 to 255 visible ASCII characters")
    }
    return key
  }

  private func checkAddresses(_ submission: Submission) throws(Problem) {
    var problems: [Problem.Field] = []
    for (name, address) in [("url", submission.request.url), ("callback", submission.request.callback)] {
      guard let address else { continue }
      do throws(Fault) {
        _ = try OutsideAddress(address, allowsPrivate: allowsPrivate)
      } catch {
        problems.append(Problem.Field(name, error))
      }
    }
    guard problems.isEmpty else { throw .invalid(problems) }
  }
}

/// The client's preferences by the Prefer header of RFC 7240.
struct Preference {
  /// Maximum time that a request waits, in seconds.
  static let longest = 120
  /// Seconds to wait for the outcome; nil for no wait.
  let wait: Int?

  init(_ request: Request) {
    self.init(HTTPField.Name("Prefer").flatMap { request.headers[$0] } ?? "")
  }

  init(_ text: String) {
    let waits = text.split(whereSeparator: { $0 == "," || $0 == ";" }).compactMap { part -> Int? in
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces }
      guard pair.count == 2, pair[0].lowercased() == "wait" else { return nil }
      return Int(pair[1].filter { $0 != "\"" })
    }
    wait = waits.first.flatMap { $0 > 0 ? min($0, Self.longest) : nil }
  }
}

extension HTTPField.Name {
  /// The Preference-Applied header of RFC 7240, for which `HTTPTypes` has no name.
  static var preferenceApplied: Self { Self("Preference-Applied")! }
}
