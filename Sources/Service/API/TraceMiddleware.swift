internal import Core
internal import HTTPTypes
internal import Hummingbird
internal import RenderModel
internal import Telemetry
internal import Tracing

/// Records a span for each request, with its method and route but without its path and query, which may contain
/// secrets.
struct TraceMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  func handle(
    _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    var parent = InstrumentationContext.topLevel
    parent.trace = HTTPField.Name("traceparent").flatMap { TraceContext(request.headers[$0]) }
    return try await withSpan(request.method.rawValue, context: parent, ofKind: .server) { span in
      span.attributes["http.request.method"] = request.method.rawValue
      let response = try await next(request, context)
      if let route = context.endpointPath {
        span.operationName = "\(request.method.rawValue) \(route)"
        span.attributes["http.route"] = route
      }
      span.attributes["http.response.status_code"] = Int(response.status.code)
      if response.status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
      return response
    }
  }
}
