package import Core
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import RenderModel
package import Scheduling

/// Reason for which a request failed: an RFC 9457 problem document with a stable code.
package struct Problem: Error, Hashable, Sendable {
  /// A fault in one member of a request.
  package typealias Field = InvalidRequest.Field

  package var status: Int
  package var fault: Fault
  package var fields: [Field] = []
  /// Creatives in a zip that has several, each as the member `entry` names it.
  package var entries: [String] = []
  /// Seconds after which the client may try again; nil if no time is advised.
  package var retryAfter: Int?

  package init(_ status: Int, _ fault: Fault, fields: [Field] = [], retryAfter: Int? = nil) {
    (self.status, self.fault, self.fields, self.retryAfter) = (status, fault, fields, retryAfter)
  }

  package init(_ status: Int, _ code: String, _ message: String, retryAfter: Int? = nil) {
    self.init(status, .request(code, message), retryAfter: retryAfter)
  }
}

extension Problem {
  /// Maps a fault to the HTTP status for the caller. No other code maps faults to statuses.
  package init(_ fault: Fault) {
    let status =
      switch fault.origin {
      case .request: 400
      case .creative: 422
      case .deadline: 504
      case .engine where fault.has(.diskFull): 507
      // It may do better in a while.
      case .engine: Replica.passing.contains(fault.code) ? 503 : 500
      }
    self.init(status, fault)
  }

  /// A request that can be read but not carried out as it stands.
  package static func invalid(_ fields: [Field]) -> Problem { Problem(InvalidRequest(fields)) }

  /// Maps a request for a render that can't be rendered as it stands.
  package init(_ invalid: InvalidRequest) { self.init(422, invalid.fault, fields: invalid.fields) }

  /// A resource that doesn't exist, or that the caller may not see.
  package static func missing(_ what: String) -> Problem { Problem(404, "resource-missing", "there is no \(what)") }
}

extension RenderRow? {
  /// The render that was requested by its id.
  /// - Throws: `Problem.missing` where there is none, or none that may be seen.
  func visible(as id: String, where isVisible: (RenderRow) -> Bool) throws -> RenderRow {
    try visible(called: "render '\(id.prefix(40))'", where: isVisible)
  }

  /// The same for a render that was requested otherwise; `what` names it in the message. A removed render counts as
  /// missing.
  ///
  /// Inlined into an asynchronous function, the throw here crashes the optimiser of Swift 6.3.
  @inline(never) func visible(called what: String, where isVisible: (RenderRow) -> Bool) throws -> RenderRow {
    guard let self, self.removed == nil, isVisible(self) else { throw Problem.missing(what) }
    return self
  }
}

extension Problem {
  /// The complete HTTP response.
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
  let entries: [String]?

  init(_ problem: Problem) {
    type = "urn:galley:problem:\(problem.fault.code)"
    title = Self.title(problem.fault.code)
    status = problem.status
    detail = problem.fault.message
    code = problem.fault.code
    origin = problem.fault.origin
    errors = problem.fields.isEmpty ? nil : problem.fields
    entries = problem.entries.isEmpty ? nil : problem.entries
  }

  /// The code in words; the same for every occurrence, as RFC 9457 requires.
  private static func title(_ code: String) -> String {
    let words = code.replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

/// Turns every error into a problem document.
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
      return Problem(408, "client-hung-up", "the client closed the connection").response
    } catch is HTTPParserError {
      // The head was well, and what followed wasn't, or ended in the middle: the client's fault, told in no log.
      return answer(Problem(400, "request-malformed", "the request can't be read"), request, context)
    } catch let error as any HTTPResponseError {
      return notFound(error, request) ?? answer(Self.problem(error, request), request, context)
    } catch {
      context.logger.error(
        "a request failed", metadata: ["path": "\(ShareAPI.withoutLink(request.uri.path))", "error": "\(error)"])
      return Problem(500, .engine("server-error", "the server failed; see its log")).response
    }
  }

  /// Response 405 for a path that allows other methods; nil for every other error.
  private func notFound(_ error: any HTTPResponseError, _ request: Request) -> Response? {
    let methods = error.status == .notFound ? table.methods(of: request.uri.path) : []
    guard !methods.isEmpty else { return nil }
    let allowed = methods.joined(separator: ", ")
    var response = Problem(405, "method-not-allowed", "\(ShareAPI.withoutLink(request.uri.path)) allows \(allowed)")
      .response
    response.headers[.allow] = allowed
    return response
  }

  private func answer(_ problem: Problem, _ request: Request, _ context: Context) -> Response {
    // What a client brought about by itself fills no log.
    if problem.status >= 500, problem.fault.origin != .request {
      context.logger.error(
        "a request failed",
        metadata: ["path": "\(ShareAPI.withoutLink(request.uri.path))", "error": "\(problem.fault)"])
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
    case .notFound: .missing("\(request.method) \(ShareAPI.withoutLink(request.uri.path))")
    case .badRequest: Problem(400, "request-malformed", "the request can't be read")
    case .contentTooLarge: Problem(413, "body-too-large", "the body exceeds the server's limit")
    default: Problem(error.status.code, "http-\(error.status.code)", error.status.reasonPhrase)
    }
  }
}
