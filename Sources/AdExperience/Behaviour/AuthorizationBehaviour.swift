/// Adds who asks to every request; the token is asked for each time, since it may have been renewed.
package final class AuthorizationBehaviour: RequestBehaviour {
  private let scheme: String
  private let token: () -> String?

  /// A behaviour that sets `Authorization` to the scheme and the token; without a token the field is left out.
  package init(scheme: String = "Bearer", token: @escaping () -> String?) {
    self.scheme = scheme
    self.token = token
  }

  package func beforeSend(_ request: inout AdRequest) {
    if let token = token() { request.headers["Authorization"] = "\(scheme) \(token)" }
  }
}
