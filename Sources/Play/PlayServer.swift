package import Core
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import Pages
internal import ServiceLifecycle
internal import UnixSignals

/// The local page on which a person plays with an ad; whoever hasn't its address gets nothing.
package struct PlayServer: Sendable {
  private let session: PlaySession
  private let port: Int
  /// What nobody guesses, a part of every address.
  private let key: String

  /// `port` 0 takes any that is free.
  package init(_ session: PlaySession, port: Int) {
    (self.session, self.port) = (session, port)
    var generator = SystemRandomNumberGenerator()
    key = (0..<4).map { _ in String(UInt32.random(in: .min ... .max, using: &generator), radix: 36) }.joined()
  }

  /// Serves this machine alone until a signal says to stop; `ready` hears the page's address.
  package func run(ready: @escaping @Sendable (_ address: String) -> Void) async throws(Fault) {
    let web = Application(
      router: router(),
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: port), serverName: "galley/\(Galley.version)"),
      onServerRunning: { [key] channel in ready("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/\(key)/") },
      logger: Logger(label: "galley") { _ in SwiftLogNoOpLogHandler() })
    var configuration = ServiceGroupConfiguration(
      services: [SessionService(session: session), web], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: Logger(label: "galley") { _ in SwiftLogNoOpLogHandler() })
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError {
      throw .request("address-unusable", "can't listen on 127.0.0.1:\(port): \(error)")
    } catch {
      throw error as? Fault ?? .engine("server-failed", "the server failed: \(error)")
    }
  }

  /// Renders as long as the page is served.
  private struct SessionService: Service {
    let session: PlaySession

    func run() async throws { await session.run() }
  }

  func router() -> Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self, options: [.autoGenerateHeadEndpoints])
    router.add(middleware: LocalMiddleware(policy: page.policy))
    let own = router.group("/:key")
    own.get("/") { [page] request, context in
      try check(context)
      return PlayAnswer.text(page.html, type: "text/html; charset=utf-8")
    }
    own.get("scenes") { _, context in
      try check(context)
      return await scenes()
    }
    own.get("scene") { request, context in
      try check(context)
      let after = request.uri.queryParameters["after"].flatMap { Int($0) } ?? 0
      return try await rendered(after: after)
    }
    own.get("pictures/:render/:name") { _, context in
      try check(context)
      return try await picture(context)
    }
    own.post("steps") { request, context in
      try check(context)
      return try await change { session in try await session.add(try await Self.text(request)) }
    }
    own.delete("steps/:index") { request, context in
      try check(context)
      guard let index = context.parameters.get("index", as: Int.self) else { throw HTTPError(.notFound) }
      let andAfter = request.uri.queryParameters["after"] == "true"
      return await change { session in await session.remove(index, andAfter: andAfter) }
    }
    own.post("save") { _, context in
      try check(context)
      return try await change { session in _ = try await session.save() }
    }
    return router
  }

  private var page: PlayPage { PlayPage() }

  private func check(_ context: BasicRequestContext) throws {
    // Digests are compared, which tells nothing by how long it takes.
    guard let given = context.parameters.get("key"), SHA256.of(given) == SHA256.of(key) else {
      throw HTTPError(.notFound)
    }
  }

  /// Every scene as a server-sent event, until the page goes away.
  private func scenes() async -> Response {
    let scenes = await session.scenes()
    let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        for await scene in scenes { try await writer.write(ByteBuffer(string: "data: \(JSONText.line(scene))\n\n")) }
        try await writer.finish(nil)
      })
  }

  /// The first scene after one of a number that is rendered, as JSON, for programs.
  private func rendered(after number: Int) async throws -> Response {
    for await scene in await session.scenes() where scene.number > number && !scene.isRendering {
      return PlayAnswer.text(JSONText.line(scene), type: "application/json")
    }
    throw HTTPError(.serviceUnavailable)
  }

  private func picture(_ context: BasicRequestContext) async throws -> Response {
    guard let render = context.parameters.get("render", as: Int.self), let name = context.parameters.get("name"),
      let path = await session.picture(render, name), FileManager.default.isReadableFile(atPath: path)
    else { throw HTTPError(.notFound) }
    let body = try await FileIO().loadFile(path: path, context: context)
    return Response(status: .ok, headers: [.contentType: "image/png", .cacheControl: "no-store"], body: body)
  }

  /// Carries out a change and says that it was, or why not.
  private func change(_ work: (PlaySession) async throws -> Void) async rethrows -> Response {
    do {
      try await work(session)
      return Response(status: .noContent)
    } catch let fault as Fault {
      return PlayAnswer.text(fault.message, type: "text/plain; charset=utf-8", status: .badRequest)
    }
  }

  private static func text(_ request: Request) async throws -> String {
    let buffer = try await request.body.collect(upTo: 65_536)
    return String(buffer: buffer)
  }
}

/// Answers of the page's server.
private enum PlayAnswer {
  static func text(_ text: String, type: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

/// Lets in who calls this machine by its own name, so that no foreign name leads here, and keeps browsers from more.
private struct LocalMiddleware: RouterMiddleware {
  let policy: String

  func handle(
    _ request: Request, context: BasicRequestContext, next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    let host = request.head.authority?.split(separator: ":").first ?? ""
    guard ["127.0.0.1", "localhost"].contains(host) else { throw HTTPError(.forbidden) }
    if let origin = request.headers[.origin], origin != "http://\(request.head.authority ?? "")" {
      throw HTTPError(.forbidden)
    }
    var response = try await next(request, context)
    response.headers[.xContentTypeOptions] = "nosniff"
    for (name, value) in [
      ("content-security-policy", policy), ("referrer-policy", "no-referrer"), ("x-frame-options", "DENY"),
      ("cross-origin-resource-policy", "same-origin"), ("cross-origin-opener-policy", "same-origin"),
    ] {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return response
  }
}
