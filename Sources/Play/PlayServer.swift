package import Core
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Pages
internal import ServiceLifecycle

/// The local page on which a user plays with an ad; requests without its address get nothing.
package struct PlayServer: Sendable {
  private let session: PlaySession
  private let server: LocalServer

  /// Creates a server for a port; 0 takes any free one.
  package init(_ session: PlaySession, port: Int) { (self.session, server) = (session, LocalServer(port: port)) }

  /// Serves this machine alone until a signal stops it; calls `ready` with the page's address.
  package func run(ready: @escaping @Sendable (_ address: String) -> Void) async throws(Fault) {
    try await server.run(
      policy: page.policy, beside: [SessionService(session: session)], routes: addRoutes, ready: ready)
  }

  /// Runs the session's renders as long as the page is served.
  private struct SessionService: Service {
    let session: PlaySession

    func run() async throws { await session.run() }
  }

  private func addRoutes(_ own: RouterGroup<BasicRequestContext>) {
    own.get("/") { [page] _, _ in
      LocalAnswer.text(page.html, type: "text/html; charset=utf-8")
    }
    own.get("scenes") { _, _ in await scenes() }
    own.get("scene") { request, _ in
      let after = request.uri.queryParameters["after"].flatMap { Int($0) } ?? 0
      return try await rendered(after: after)
    }
    own.get("pictures/:render/:name") { _, context in try await picture(context) }
    own.post("steps") { request, _ in
      try await change { session in try await session.add(try await Self.text(request)) }
    }
    own.delete("steps/:index") { request, context in
      guard let index = context.parameters.get("index", as: Int.self) else { throw HTTPError(.notFound) }
      let andAfter = request.uri.queryParameters["after"] == "true"
      return await change { session in await session.remove(index, andAfter: andAfter) }
    }
    own.post("save") { _, _ in try await change { session in _ = try await session.save() } }
  }

  private var page: PlayPage { PlayPage() }

  /// Sends every scene as a server-sent event, until the page closes the connection.
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

  /// Returns the first rendered scene after the one of a number, as JSON, for programs.
  private func rendered(after number: Int) async throws -> Response {
    for await scene in await session.scenes() where scene.number > number && !scene.isRendering {
      return LocalAnswer.text(JSONText.line(scene), type: "application/json")
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

  /// Carries out a change; returns status 204, or 400 with the reason for the failure.
  private func change(_ work: (PlaySession) async throws -> Void) async rethrows -> Response {
    do {
      try await work(session)
      return Response(status: .noContent)
    } catch let fault as Fault {
      return LocalAnswer.text(fault.message, type: "text/plain; charset=utf-8", status: .badRequest)
    }
  }

  private static func text(_ request: Request) async throws -> String {
    let buffer = try await request.body.collect(upTo: 65_536)
    return String(buffer: buffer)
  }
}
