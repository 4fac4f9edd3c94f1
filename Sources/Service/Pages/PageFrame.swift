internal import Core
internal import Hummingbird

/// The frame of all pages: the template of each, with the values that every page needs.
struct PageFrame: Sendable {
  let library: PageLibrary
  let reviews: ReviewStore
  let authenticator: Authenticator

  /// Maximum number of open reviews that is counted for each page.
  private static let mostCounted = 999

  /// A page with the values that every page needs.
  func page(
    _ name: String, _ title: String, _ values: [String: Any], _ context: ServiceContext
  ) async throws(Fault) -> Response {
    var values = values
    if context.caller.may(.read) {
      let open = try await reviews.countOpen(owner: context.caller.sight, most: Self.mostCounted + 1)
      if open > 0 { values["waiting"] = open > Self.mostCounted ? "\(Self.mostCounted)+" : "\(open)" }
    }
    values["title"] = title
    if authenticator.asksForTokens, !context.caller.name.isEmpty { values["caller"] = context.caller.name }
    values["mayRender"] = context.caller.may(.render)
    values["mayApprove"] = context.caller.may(.approve)
    return response(library.html(name, values))
  }

  /// A response with a page, or a part of one for a page that is open already.
  func response(_ html: String) -> Response { Answer.text(html, type: "text/html; charset=utf-8") }
}
