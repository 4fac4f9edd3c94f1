package import Core
internal import Hummingbird
package import Pages

/// Server for a finished local page: a report of results, or one from a file.
package struct ShowServer: Sendable {
  private let html: String
  private let server: LocalServer

  /// Shows a finished page; `port` 0 takes any free one.
  package init(_ page: FinishedPage, port: Int) { (html, server) = (page.html, LocalServer(port: port)) }

  /// Serves this machine alone until a signal stops it; calls `ready` with the page's address.
  package func run(ready: @escaping @Sendable (_ address: String) -> Void) async throws(Fault) {
    let html = html
    try await server.run(
      policy: FinishedPage.policy,
      routes: { own in own.get("/") { _, _ in LocalAnswer.text(html, type: "text/html; charset=utf-8") } },
      ready: ready)
  }
}
