internal import HTTPTypes
internal import Hummingbird

/// Headers that keep browsers from doing more with an answer than show it.
struct SecurityMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  /// What pages may load: this server's own files, and pictures.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    + "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.xContentTypeOptions] = "nosniff"
    // With no referrer at all browsers would call the origin of the server's own forms `null`.
    let wanted: [(String, String)] = [
      ("content-security-policy", Self.policy), ("referrer-policy", "same-origin"),
      ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
      ("x-frame-options", "SAMEORIGIN"),
    ]
    for (name, value) in wanted {
      if let name = HTTPField.Name(name), response.headers[name] == nil { response.headers[name] = value }
    }
    return response
  }
}
