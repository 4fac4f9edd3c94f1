internal import Core
internal import Hummingbird
internal import NIOCore
internal import Pages
internal import Reports

/// The HTML pages for users.
struct PageAPI: Sendable {
  let library: PageLibrary
  private let frame: PageFrame
  private let runs: RunPages
  private let reviews: ReviewPages
  private let comparisons: ComparisonPages
  private let logins: LoginPages

  init(
    library: PageLibrary, renders: RenderAPI, diffs: DiffAPI, desk: ReviewDesk, sessions: Sessions, front: Front,
    mayShare: Bool
  ) {
    self.library = library
    frame = PageFrame(library: library, reviews: renders.store.reviews, authenticator: sessions.authenticator)
    runs = RunPages(frame: frame, renders: renders, desk: desk, mayShare: mayShare)
    reviews = ReviewPages(frame: frame, renders: renders, desk: desk, approver: diffs.baselines.approver)
    comparisons = ComparisonPages(frame: frame, renders: renders, diffs: diffs)
    logins = LoginPages(frame: frame, sessions: sessions, front: front)
  }

  func add(to router: some RouterMethods<ServiceContext>) {
    router.get("/") { try await runs.runs($0, $1) }
    router.get("/parts/runs") { try await runs.cards($0, $1) }
    router.get("/parts/renders/:id") { try await runs.found($0, $1) }
    router.get("/renders/:id") { try await runs.run($0, $1) }
    router.get("/review") { try await reviews.queue($0, $1) }
    router.get("/review/:id") { try await reviews.review($0, $1) }
    router.get("/compare") { try await comparisons.compare($0, $1) }
    router.get("/baselines") { try await reviews.baselines($0, $1) }
    router.get("/docs") { _, context in try await interface(context) }
    router.get("/login") { try await logins.login($0, $1) }
    router.post("/login") { try await logins.enter($0, $1) }
    router.post("/logout") { try await logins.leave($0, $1) }
    for (name, part) in Self.assets {
      router.get("/assets/\(name).css") { _, _ in asset(part.style, "text/css; charset=utf-8") }
      router.get("/assets/\(name).js") { _, _ in asset(part.script, "text/javascript; charset=utf-8") }
    }
    router.get("/v1/openapi.json") { _, _ in asset(PackageResources.openapi_json, "application/json") }
  }

  /// The styles and scripts of the pages, in the order in which they build on each other.
  static let assets: [(name: String, part: PageLook.Part)] = [
    ("look", PageLook.base), ("compare", PageLook.comparison), ("report", HTMLReport.assets),
    (
      "galley",
      PageLook.Part(
        style: PackageResources.galley_css, script: PackageResources.upload_js + PackageResources.galley_js)
    ),
  ]

  /// Shows the HTTP interface.
  private func interface(_ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    guard let interface = InterfacePage(PackageResources.openapi_json) else {
      throw Fault.engine("page-broken", "the OpenAPI document can't be read")
    }
    return try await frame.page("interface", "HTTP interface", interface.values, context)
  }

  private func asset(_ bytes: [UInt8], _ type: String) -> Response {
    Answer.bytes(ByteBuffer(bytes: bytes), type: type, headers: [.cacheControl: "no-cache"])
  }
}
