internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import Logging

/// Turns whatever goes wrong into a problem document.
struct ProblemMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  let table: RouteTable
  let pages: PageLibrary

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let problem as Problem {
      return answer(problem, request, context)
    } catch let fault as Fault {
      return answer(Problem(fault), request, context)
    } catch is CancellationError {
      // Nobody reads it any more.
      return Problem(408, "hung-up", "the client hung up").response
    } catch let error as any HTTPResponseError {
      return notFound(error, request) ?? answer(Self.problem(error, request), request, context)
    } catch {
      context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      return Problem(500, .engine("internal", "the server failed; its log says more")).response
    }
  }

  /// A path that knows other methods; nil for every other error.
  private func notFound(_ error: any HTTPResponseError, _ request: Request) -> Response? {
    let methods = error.status == .notFound ? table.methods(of: request.uri.path) : []
    guard !methods.isEmpty else { return nil }
    let allowed = methods.joined(separator: ", ")
    var response = Problem(405, "method-not-allowed", "\(request.uri.path) knows \(allowed)").response
    response.headers[.allow] = allowed
    return response
  }

  private func answer(_ problem: Problem, _ request: Request, _ context: Context) -> Response {
    if problem.status >= 500 {
      context.logger.error(
        "a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(problem.fault)"])
    }
    let isPage =
      !request.uri.path.hasPrefix("/v1/")
      && MediaChoice.best(of: ["application/problem+json", "text/html"], accept: request.headers[.accept])
        == "text/html"
    guard isPage else { return problem.response }
    let values: [String: Any] = [
      "title": "\(problem.status)", "status": problem.status, "detail": problem.fault.message,
      "code": problem.fault.code,
    ]
    return Answer.text(
      pages.html("problem", values), type: "text/html; charset=utf-8", status: .init(code: problem.status))
  }

  private static func problem(_ error: any HTTPResponseError, _ request: Request) -> Problem {
    switch error.status {
    case .notFound: .missing("\(request.method) \(request.uri.path)")
    case .badRequest: Problem(400, "request-malformed", "the request can't be read")
    case .contentTooLarge: Problem(413, "body-too-large", "the body is larger than this server takes")
    default: Problem(error.status.code, "http-\(error.status.code)", error.status.reasonPhrase)
    }
  }
}
