internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension PageAPI {
  func login(_ context: ServiceContext, problem: String? = nil) -> Response {
    var values: [String: Any] = [:]
    values["problem"] = problem
    return page("login", "Log in", values, context)
  }

  /// Begins a session for a good token, in a cookie that no script and no other site gets.
  func enter(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let body = try await request.body.collect(upTo: 10_000)
    let form = QueryText.parameters(String(buffer: body))
    let token = form.first { $0.name == "token" }?.value.filter { !$0.isWhitespace } ?? ""
    guard let session = try await sessions.begin(token, at: Instant.now) else {
      return login(context, problem: "This token isn't known.")
    }
    return redirect(to: "/", cookie: cookie(session, seconds: Sessions.lifetime / 1000, request, context))
  }

  /// Ends the session, wherever its cookie was copied to.
  func leave(_ request: Request, _ context: ServiceContext) async throws -> Response {
    if let session = request.cookies[GateMiddleware.cookie] { try await sessions.end(session.value) }
    return redirect(to: "/login", cookie: cookie("", seconds: 0, request, context))
  }

  private func cookie(_ value: String, seconds: Int64, _ request: Request, _ context: ServiceContext) -> String {
    let plain = "\(GateMiddleware.cookie)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
    return front.isSecure(request.headers, from: context.peer) ? plain + "; Secure" : plain
  }

  private func redirect(to place: String, cookie: String) -> Response {
    Response(status: .seeOther, headers: [.location: place, .setCookie: cookie])
  }
}
