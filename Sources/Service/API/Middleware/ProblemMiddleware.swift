internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import Logging

/// Turns whatever goes wrong into a problem document.
struct ProblemMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let problem as Problem {
      return answer(problem, request, context)
    } catch let fault as Fault {
      return answer(Problem(fault), request, context)
    } catch let error as any HTTPResponseError {
      return answer(Self.problem(error, request), request, context)
    } catch {
      context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      return Problem(500, .engine("internal", "the server failed; its log says more")).response
    }
  }

  private func answer(_ problem: Problem, _ request: Request, _ context: Context) -> Response {
    if problem.status >= 500 {
      context.logger.error(
        "a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(problem.fault)"])
    }
    return problem.response
  }

  private static func problem(_ error: any HTTPResponseError, _ request: Request) -> Problem {
    switch error.status {
    case .notFound: .missing("\(request.method) \(request.uri.path)")
    case .contentTooLarge: Problem(413, "body-too-large", "the body is larger than this server takes")
    default: Problem(error.status.code, "http-\(error.status.code)", error.status.reasonPhrase)
    }
  }
}
