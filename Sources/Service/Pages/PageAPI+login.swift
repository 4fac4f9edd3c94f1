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

  /// Keeps a good token in a cookie that no script and no other site gets.
  func enter(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let body = try await request.body.collect(upTo: 10_000)
    let form = QueryText.parameters(String(buffer: body))
    let token = form.first { $0.name == "token" }?.value.filter { !$0.isWhitespace } ?? ""
    guard gatekeeper.caller(token) != nil else { return login(context, problem: "This token isn't known.") }
    return redirect(cookie: "\(GateMiddleware.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000")
  }

  func leave() -> Response {
    redirect(cookie: "\(GateMiddleware.cookie)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0", to: "/login")
  }

  private func redirect(cookie: String, to place: String = "/") -> Response {
    Response(status: .seeOther, headers: [.location: place, .setCookie: cookie])
  }
}
