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
  static func file(_ path: String, type: String) async throws -> Response? {
    guard let data = FileContents.read(path) else { return nil }
    return bytes(ByteBuffer(bytes: data), type: type, headers: [.cacheControl: "private, max-age=31536000, immutable"])
  }
}
