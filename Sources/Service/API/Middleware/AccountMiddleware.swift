internal import Core
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Counts, times and logs requests by their route, and finds the connection that each came by.
struct AccountMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  let gauges: ServiceGauges
  let connections: ConnectionDesk

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    var context = context
    context.connection = connections.connection(of: context.channel)
    let response = try await next(request, context)
    let seconds = start.duration(to: .now) / .seconds(1)
    let route = context.endpointPath ?? "none"
    // A caller may make methods up, and each would be counted on its own.
    let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete]
    let method = known.contains(request.method) ? request.method.rawValue : "other"
    gauges.answered(method, route, status: response.status.code, seconds: seconds)
    context.logger.info(
      "request",
      metadata: [
        "method": "\(request.method)", "path": "\(request.uri.path)", "status": "\(response.status.code)",
        "ms": "\(Bounded.int(seconds * 1000, in: 0...Int.max))",
      ])
    return response
  }
}
