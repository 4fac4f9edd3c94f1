internal import Comparison
internal import Core
internal import RenderModel
internal import Scheduling

/// A render as the API describes it.
struct RenderDocument: Encodable {
  /// The fault with which a render ended.
  struct Failure: Encodable {
    let origin: Fault.Origin
    let code: String
    let message: String
  }
  /// A screenshot and its address.
  struct Picture: Encodable {
    let name: String
    let state: String
    let width: Int
    let height: Int
    let url: String
  }
  /// Frames at even intervals and their addresses.
  struct Filmstrip: Encodable {
    let interval: Double
    let frames: Int
    let sheet: String
    let animation: String
  }
  /// The result of the comparison with the baseline, and the state of its review.
  struct Standing: Encodable {
    let comparison: String
    let state: Review.State
    let url: String
    let page: String
  }
  /// Addresses of everything that belongs to a render.
  struct Links: Encodable {
    let `self`: String
    let events: String
    let report: String?
    let trace: String?
    let recording: String?
    let files: String
    let page: String
  }

  private let id: String
  private let status: RenderStatus
  private let name: String
  private let created: String
  private let started: String?
  private let finished: String?
  private let attempts: Int
  private let owner: String
  private let labels: [String: String]?
  private let review: Standing?
  private let request: RenderRequest?
  private let error: Failure?
  private let verdict: RenderSummary.Verdict?
  private let explored: RenderSummary.Explored?
  private let states: [String]?
  private let screenshots: [Picture]?
  private let filmstrip: Filmstrip?
  private let links: Links
  /// `result.json` as every command writes it.
  private var result: JSONValue?

  init(_ row: RenderRow, result: JSONValue? = nil, review: Review? = nil) {
    let base = "/v1/renders/\(row.id)"
    let summary = RenderSummary.read(row.summary)
    (id, status, name, owner, attempts) = (row.id, row.status, row.name, row.owner, row.attempts)
    created = Instant.text(row.created)
    started = row.started.map(Instant.text)
    finished = row.finished.map(Instant.text)
    request = RenderRequest.read(row.request)
    labels = request?.labels
    self.review = review.map {
      Standing(
        comparison: $0.comparison.rawValue, state: $0.state, url: "\(base)/review", page: "/review/\(row.id)")
    }
    error = row.fault.map { Failure(origin: $0.origin, code: $0.code, message: $0.message) }
    (verdict, explored, states) = (summary?.verdict, summary?.explored, summary?.states)
    screenshots = summary?.pictures.map {
      Picture(
        name: $0.name, state: $0.state, width: $0.width, height: $0.height, url: "\(base)/screenshots/\($0.name)")
    }
    filmstrip = summary?.filmstrip.map {
      Filmstrip(
        interval: $0.interval, frames: $0.frames, sheet: "\(base)/files/\($0.sheet)",
        animation: "\(base)/files/\($0.animation)")
    }
    links = Links(
      self: base, events: "\(base)/events", report: summary?.verdict == nil ? nil : "\(base)/report",
      trace: row.status.isFinal ? "\(base)/trace" : nil,
      recording: row.status.isFinal && (request?.record == true || request?.recording != nil)
        ? "\(base)/recording" : nil,
      files: "\(base)/files", page: "/renders/\(row.id)")
    self.result = result
  }
}
