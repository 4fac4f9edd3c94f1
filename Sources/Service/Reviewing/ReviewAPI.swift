internal import Comparison
internal import Core
internal import Hummingbird
internal import NIOCore
internal import RenderModel
internal import Scheduling

/// The routes for users' decisions.
struct ReviewAPI: Sendable {
  private struct Queue: Encodable {
    let reviews: [ReviewDocument]
    /// Total number of open reviews.
    let open: Int
  }
  private struct History: Encodable {
    let decisions: [DecisionDocument]
  }

  let renders: RenderAPI
  let baselines: BaselineAPI
  let desk: ReviewDesk
  /// Maximum number of characters in a comment.
  static let longestComment = 2000
  /// Maximum number of reviews or decisions in one answer.
  static let most = 200

  func add(to router: some RouterMethods<ServiceContext>) {
    router.get("/v1/reviews") { try await queue($0, $1) }
    router.get("/v1/renders/:id/review") { try await show($0, $1) }
    router.post("/v1/renders/:id/review") { try await decide($0, $1) }
    router.get("/v1/baselines/:creative/:variant/history") { try await history($0, $1) }
    router.post("/v1/baselines/:creative/:variant/undo") { try await undo($0, $1) }
    router.get("/v1/pictures/:hash") { try await picture($0, $1) }
  }

  /// Lists the open reviews, newest first.
  private func queue(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let owner = context.caller.sight
    let ids = try await renders.store.reviews.open(owner: owner, most: Self.most)
    let reviews = try await renders.store.reviews.all(of: ids)
    var documents: [ReviewDocument] = []
    for id in ids {
      guard let review = reviews[id], let row = try await renders.store.render(id) else { continue }
      documents.append(ReviewDocument(row, review, decision: nil))
    }
    let open = try await renders.store.reviews.countOpen(owner: owner, most: .max)
    return try Answer.json(Queue(reviews: documents, open: open))
  }

  private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try Answer.json(try await document(try await renders.row(context)))
  }

  private func document(_ row: RenderRow) async throws -> ReviewDocument {
    guard let review = try await desk.review(row) else {
      throw Problem(409, "render-not-compared", "render '\(row.id)' wasn't compared with a baseline")
    }
    return ReviewDocument(row, review, decision: try await renders.store.reviews.decision(on: row.id).map(document))
  }

  private func document(_ decision: Decision) -> DecisionDocument {
    DecisionDocument(decision, pictures: KeptPicture.new(by: decision, baselines.approver))
  }

  /// Approves or rejects a render, or undoes the decision about it.
  private func decide(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.approve)
    let row = try await renders.row(context)
    var fields = try await fields(request, context)
    let action = fields.word("decision", of: Wish.self)
    var ruling = ReviewDesk.Ruling(action: action?.action ?? .reject)
    ruling.comment = fields.text("comment", longest: Self.longestComment)
    ruling.parts = fields.texts("parts", most: 500)
    ruling.revision = fields.whole("revision", in: 1...1_000_000_000)
    if action == nil, fields.problems.isEmpty { fields.noteProblem("decision", "is missing") }
    if ruling.parts != nil, action == .reject || action == .undo {
      fields.noteProblem("parts", "requires the decision approve or variant")
    }
    try fields.finish()
    try await desk.decide(ruling, on: row, by: context.caller.name)
    return try Answer.json(try await document(row))
  }

  private func history(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let key = try BaselineAPI.key(context)
    let decisions = try await renders.store.reviews.decisions(of: key, most: Self.most)
    let current = try await baselines.approver.current(key)
    guard !decisions.isEmpty || current != nil else { throw Problem.missing("baseline '\(key.text)'") }
    return try Answer.json(History(decisions: decisions.map(document)))
  }

  /// Undoes a decision about a baseline, including its removal.
  private func undo(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.approve)
    let key = try BaselineAPI.key(context)
    var fields = try await fields(request, context)
    let number = fields.whole("decision", in: 1...1_000_000_000)
    if number == nil, fields.problems.isEmpty { fields.noteProblem("decision", "must be a decision's number") }
    try fields.finish()
    try await desk.undo(Int64(number ?? 0), of: key, by: context.caller.name)
    let decisions = try await renders.store.reviews.decisions(of: key, most: Self.most)
    return try Answer.json(History(decisions: decisions.map(document)))
  }

  private func fields(_ request: Request, _ context: ServiceContext) async throws -> FieldReader {
    let reader = BodyReader(
      bounds: renders.bounds, folder: UploadFolder(renders.data), large: renders.large, connection: context.connection)
    return FieldReader(try Submission.object(try await reader.bytes(request)))
  }

  /// Sends a screenshot of a present or former baseline by its hash.
  private func picture(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let given = context.parameters.get("hash") ?? ""
    let hash = given.hasSuffix(".png") ? String(given.dropLast(4)) : given
    let isHash = hash.utf8.count == 64 && hash.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    let path = BaselineStore(renders.data.baselines).objectPath("\(hash).png")
    guard isHash, let answer = try await Answer.file(path, type: "image/png", context) else {
      throw Problem.missing("screenshot '\(given.prefix(70))'")
    }
    return answer
  }

  /// Decisions that a request may contain.
  private enum Wish: String, CaseIterable {
    case approve, variant, reject, undo

    var action: Decision.Action {
      switch self {
      case .approve: .approve
      case .variant: .variant
      case .reject: .reject
      case .undo: .undo
      }
    }
  }
}

/// A review as the API describes it.
struct ReviewDocument: Encodable {
  /// A part that needs a review.
  struct Part: Encodable {
    let name: String
    let verdict: BaselineVerdict
    let differing: Int?
    /// Addresses of the pictures.
    let baseline: String?
    let picture: String?
    let highlight: String?
  }
  /// Key of the baseline that it is compared with.
  struct Key: Encodable {
    let creative: String
    let variant: String
  }

  private let render: String
  private let name: String
  private let baseline: Key
  private let labels: [String: String]?
  private let comparison: CreativeVerdict
  private let state: Review.State
  private let revision: Int
  private let parts: [Part]
  private let findings: [String]
  private let differences: [String]
  private let files: [FileChange]?
  private let filesCompared: Bool?
  private let decision: DecisionDocument?
  private let commitStatus: CommitStatus?
  private let page: String

  init(_ row: RenderRow, _ review: Review, decision: DecisionDocument?) {
    (render, name, page) = (row.id, row.name, "/review/\(row.id)")
    baseline = Key(creative: review.key.creative, variant: review.key.variant)
    labels = RenderRequest.read(row.request)?.labels
    (comparison, state, revision) = (review.comparison, review.state, review.revision)
    parts = review.facts.changes.map { part in
      let isDrawn = PartName.isPicture(part.name) && part.verdict != .missing
      return Part(
        name: part.name, verdict: part.verdict, differing: part.differing,
        baseline: part.baseline.map { "/v1/pictures/\($0)" },
        picture: isDrawn ? "/v1/renders/\(row.id)/screenshots/\(BaselineDocument.escaped(part.name))" : nil,
        highlight: part.highlight.map { "/v1/renders/\(row.id)/files/\($0)" })
    }
    (findings, differences) = (review.facts.findings, review.facts.differences)
    (files, filesCompared) = (review.facts.files, review.facts.filesCompared)
    self.decision = decision
    commitStatus = CommitStatus(row, row.status, review, nil)
  }
}

/// A screenshot of a present or former baseline, and its address.
struct KeptPicture: Encodable {
  let name: String
  let sha256: String
  let url: String

  init(name: String, sha256: String) {
    (self.name, self.sha256) = (name, sha256)
    url = "/v1/pictures/\(sha256)"
  }

  /// Screenshots that a decision added to the baseline.
  static func new(by decision: Decision, _ approver: Approver) -> [KeptPicture] {
    let before = decision.before.flatMap(approver.manifest)?.screenshots ?? []
    let after = decision.after.flatMap(approver.manifest)?.screenshots ?? []
    let known = Set(before.flatMap(\.accepted))
    return after.flatMap { screenshot in
      screenshot.accepted.filter { !known.contains($0) }.map { KeptPicture(name: screenshot.name, sha256: $0) }
    }
  }
}

/// A decision as the API describes it.
struct DecisionDocument: Encodable {
  private let number: Int64
  private let action: Decision.Action
  private let by: String
  private let time: String
  private let render: String?
  private let comment: String?
  private let parts: [String]?
  /// True if it was undone.
  private let undone: Bool
  private let undoes: Int64?
  /// Screenshots that the decision added to the baseline.
  private let pictures: [KeptPicture]

  init(_ decision: Decision, pictures: [KeptPicture]) {
    self.pictures = pictures
    (number, action, by) = (decision.number, decision.action, decision.who)
    (render, comment, parts) = (decision.render, decision.comment, decision.parts)
    time = Instant.text(decision.timestamp)
    (undone, undoes) = (decision.undone != nil, decision.undoes)
  }
}
