package import Core
internal import Hummingbird
package import Pages

/// A local page that is made already: a report of results, or one from a file.
package struct ShowServer: Sendable {
  private let html: String
  private let server: LocalServer

  /// Shows a page of Galley's; `port` 0 takes any that is free.
  package init(_ page: FinishedPage, port: Int) { (html, server) = (page.html, LocalServer(port: port)) }

  /// Serves this machine alone until a signal says to stop; `ready` hears the page's address.
  package func run(ready: @escaping @Sendable (_ address: String) -> Void) async throws(Fault) {
    let html = html
    try await server.run(
      policy: FinishedPage.policy,
      routes: { own in own.get("/") { _, _ in LocalAnswer.text(html, type: "text/html; charset=utf-8") } },
      ready: ready)
  }
}
