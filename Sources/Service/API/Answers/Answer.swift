internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import NIOCore

/// Responses as this server gives them.
enum Answer {
  /// A JSON document.
  static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) throws -> Response {
    text(try JSONText.of(value), type: "application/json", status: status, headers: headers)
  }

  /// Text of a type.
  static func text(
    _ text: String, type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    bytes(ByteBuffer(string: text), type: type, status: status, headers: headers)
  }

  /// Bytes of a type, not to be stored unless the headers say otherwise.
  static func bytes(
    _ buffer: ByteBuffer, type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = type
    if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
  }

  /// A file that never changes; nil when it isn't there.
  static func file(_ path: String, type: String, _ context: some RequestContext) async throws -> Response? {
    let headers: HTTPFields = [.cacheControl: "private, max-age=31536000, immutable"]
    return try await file(path, type: type, bytes: nil, headers: headers, context)
  }

  /// A file's first bytes, all for nil, read as the client takes them; nil when it isn't there.
  static func file(
    _ path: String, type: String, bytes: Int?, headers: HTTPFields, _ context: some RequestContext
  ) async throws -> Response? {
    guard bytes != 0, access(path, R_OK) == 0 else { return nil }
    var headers = headers
    headers[.contentType] = type
    if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    let range = 0...((bytes ?? Int.max) - 1)
    let body = try await FileIO().loadFile(path: path, range: range, context: context)
    return Response(status: .ok, headers: headers, body: body)
  }
}
