internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Reads bodies of bounded size.
struct BodyReader {
  let bounds: ServiceSettings.Bounds

  /// All bytes of a body.
  func bytes(_ request: Request) async throws -> [UInt8] {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bounds.body { throw tooLarge }
    do {
      return Array(buffer: try await request.body.collect(upTo: bounds.body))
    } catch is NIOTooManyBytesError {
      throw tooLarge
    }
  }

  /// A request for a render, as JSON or as a form.
  func submission(_ request: Request) async throws -> Submission {
    let type = request.headers[.contentType] ?? ""
    let essence = type.prefix { $0 != ";" }.trimmingSpaces.lowercased()
    switch essence {
    case "application/json": return try Submission(json: try await bytes(request), bounds: bounds)
    case "multipart/form-data": return try Submission(form: try await parts(request), bounds: bounds)
    default:
      throw Problem(
        415, "media-type-unknown", "send application/json or multipart/form-data, not '\(essence.prefix(60))'")
    }
  }

  /// The fields of a form.
  func parts(_ request: Request) async throws -> [MultipartPart] {
    guard let boundary = MultipartParser.boundary(ofContentType: request.headers[.contentType] ?? "") else {
      throw Problem(400, "form-invalid", "multipart/form-data needs a boundary of 1 to 70 characters")
    }
    return try MultipartParser.parse(try await bytes(request), boundary: boundary)
  }

  private var tooLarge: Problem {
    Problem(413, "body-too-large", "the body is larger than \(bounds.body) bytes")
  }
}
