internal import Core
internal import HTTPTypes
internal import Hummingbird

/// The pages on which users log in and out.
struct LoginPages: Sendable {
  let frame: PageFrame
  let sessions: Sessions
  let front: Front

  /// Shows the login form, which leads on to the requested page.
  ///
  /// A request that follows a link from another site carries no cookie, even if the user is logged in; in that case a
  /// page is sent that requests the target again itself.
  func login(_ request: Request, _ context: ServiceContext) async throws(Fault) -> Response {
    let query = QueryText.parameters(request.uri.query ?? "")
    let target = query.first { $0.name == "next" }.flatMap { LoginTarget($0.value) }
    let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
    if let target, site == "cross-site" || site == "same-site" {
      return try await frame.page("arriving", "Loading", ["next": target.path], context)
    }
    return try await login(context, next: target)
  }

  private func login(
    _ context: ServiceContext, next: LoginTarget?, problem: String? = nil
  ) async throws(Fault) -> Response {
    var values: [String: Any] = [:]
    values["problem"] = problem
    values["next"] = next?.path
    return try await frame.page("login", "Log in", values, context)
  }

  /// Begins a session for a valid token, with a cookie that scripts and other sites can't read.
  func enter(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let body = try await request.body.collect(upTo: 10_000)
    let form = QueryText.parameters(String(buffer: body))
    let token = form.first { $0.name == "token" }?.value.filter { !$0.isWhitespace } ?? ""
    let next = form.first { $0.name == "next" }.flatMap { LoginTarget($0.value) }
    guard let session = sessions.begin(token, at: Instant.now) else {
      return try await login(context, next: next, problem: "This token is unknown.")
    }
    return redirect(to: next?.path ?? "/", cookie: cookie(session, seconds: Sessions.lifetime / 1000, request, context))
  }

  /// Ends the session, so that copies of its cookie become invalid too.
  func leave(_ request: Request, _ context: ServiceContext) async throws -> Response {
    if let session = request.cookies[AuthMiddleware.cookie] { try await sessions.end(session.value, at: Instant.now) }
    return redirect(to: "/login", cookie: cookie("", seconds: 0, request, context))
  }

  private func cookie(_ value: String, seconds: Int64, _ request: Request, _ context: ServiceContext) -> String {
    let plain = "\(AuthMiddleware.cookie)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
    return front.isSecure(request.headers, from: context.peer) ? plain + "; Secure" : plain
  }

  private func redirect(to place: String, cookie: String) -> Response {
    Response(status: .seeOther, headers: [.location: place, .setCookie: cookie])
  }
}
