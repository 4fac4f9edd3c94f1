package import Core
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Why a request wasn't answered as asked: an RFC 9457 problem document with a stable code.
package struct Problem: Error, Hashable, Sendable {
  /// What is wrong with one member of a request.
  package struct Field: Hashable, Sendable, Encodable {
    /// A JSON Pointer: `/size`.
    package let pointer: String
    package let detail: String
    /// The stable code of what is wrong, where there is one of its own.
    package let code: String?

    package init(_ name: String, _ fault: Fault) { self.init(name, fault.message, code: fault.code) }

    package init(_ name: String, _ detail: String, code: String? = nil) {
      self.code = code
      let escaped = name.replacing("~", with: "~0").replacing("/", with: "~1")
      (pointer, self.detail) = (name.isEmpty ? "" : "/\(escaped)", detail)
    }
  }

  package var status: Int
  package var fault: Fault
  package var fields: [Field] = []
  /// Seconds after which it may be tried again.
  package var retryAfter: Int?

  package init(_ status: Int, _ fault: Fault, fields: [Field] = [], retryAfter: Int? = nil) {
    (self.status, self.fault, self.fields, self.retryAfter) = (status, fault, fields, retryAfter)
  }

  package init(_ status: Int, _ code: String, _ message: String, retryAfter: Int? = nil) {
    self.init(status, .request(code, message), retryAfter: retryAfter)
  }
}

extension Problem {
  /// What a fault means for whoever called over HTTP; the only place that maps faults to statuses.
  package init(_ fault: Fault) {
    let status =
      switch fault.origin {
      case .request: 400
      case .creative: 422
      case .deadline: 504
      case .engine where fault.code == "disk-full": 507
      // It may do better in a while.
      case .engine: Replica.passing.contains(fault.code) ? 503 : 500
      }
    self.init(status, fault)
  }

  /// A request that can be read but not be carried out as it stands.
  package static func invalid(_ fields: [Field]) -> Problem {
    let message =
      fields.count == 1
      ? "\(fields[0].pointer.dropFirst()): \(fields[0].detail)" : "\(fields.count) members of the request are wrong"
    // One that has a code of its own is known by that, as on the command line.
    let code = fields.count == 1 ? fields[0].code : nil
    return Problem(422, .request(code ?? "request-invalid", message), fields: fields)
  }

  /// There is no such thing, or none that the caller may see.
  package static func missing(_ what: String) -> Problem { Problem(404, "resource-missing", "there is no \(what)") }
}

extension RenderRow? {
  /// The render that was asked for by an id.
  /// - Throws: `Problem.missing` where there is none, or none that may be seen.
  func visible(as id: String, where isVisible: (RenderRow) -> Bool) throws -> RenderRow {
    try visible(called: "render '\(id.prefix(40))'", where: isVisible)
  }

  /// The same of one that was asked for otherwise, with what a caller is told there is none of; none that was removed.
  ///
  /// Inlined into an asynchronous function, the throw here ends the optimiser of Swift 6.3.
  @inline(never) func visible(called what: String, where isVisible: (RenderRow) -> Bool) throws -> RenderRow {
    guard let self, self.removed == nil, isVisible(self) else { throw Problem.missing(what) }
    return self
  }
}

extension Problem {
  /// The whole response.
  var response: Response {
    var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
    if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
    if status == 401 { headers[.wwwAuthenticate] = "Bearer realm=\"galley\"" }
    let text = (try? JSONText.of(ProblemDocument(self))) ?? "{}"
    return Response(
      status: .init(code: status), headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

/// A problem as it is sent.
struct ProblemDocument: Encodable {
  let type: String
  let title: String
  let status: Int
  let detail: String
  let code: String
  let origin: Fault.Origin
  let errors: [Problem.Field]?

  init(_ problem: Problem) {
    type = "urn:galley:problem:\(problem.fault.code)"
    title = Self.title(problem.fault.code)
    status = problem.status
    detail = problem.fault.message
    code = problem.fault.code
    origin = problem.fault.origin
    errors = problem.fields.isEmpty ? nil : problem.fields
  }

  /// The code in words; the same for every occurrence, as the RFC wants it.
  private static func title(_ code: String) -> String {
    let words = code.replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

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
      return Problem(408, "client-hung-up", "the client hung up").response
    } catch is HTTPParserError {
      // The head was well, and what followed wasn't, or ended in the middle: the client's fault, told in no log.
      return answer(Problem(400, "request-malformed", "the request can't be read"), request, context)
    } catch let error as any HTTPResponseError {
      return notFound(error, request) ?? answer(Self.problem(error, request), request, context)
    } catch {
      context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      return Problem(500, .engine("server-error", "the server failed; its log says more")).response
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
