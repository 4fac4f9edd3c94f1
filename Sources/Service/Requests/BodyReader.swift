internal import Checks
internal import Core
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Reads bodies of limited size; large ones are written to the disk as they arrive, so that memory use stays constant.
struct BodyReader {
  /// Maximum number of a body's bytes in memory while it arrives.
  static let mostInMemory = 256_000
  /// Maximum time for a body, since a place in the queue is kept for its render.
  private static let longest = Duration.seconds(300)

  let bounds: ServiceSettings.Bounds
  let folder: UploadFolder
  /// Lets one large document at a time be parsed.
  let large: AsyncSemaphore
  /// The sender's connection; the wait for memory ends if it is closed.
  var connection: Connection?

  /// All bytes of a small body, such as a document without a creative.
  func bytes(_ request: Request) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    try await each(request, most: min(Self.mostInMemory, bounds.body)) { bytes += $0.readableBytesView }
    return bytes
  }

  /// A request for a render, as JSON or as a form.
  func submission(_ request: Request) async throws -> Submission {
    let type = request.headers[.contentType] ?? ""
    let essence = type.prefix { $0 != ";" }.trimmingSpaces.lowercased()
    switch essence {
    case "application/json": return try await document(request)
    case "multipart/form-data":
      return try Submission(form: try await parts(request, files: Submission.files), bounds: bounds)
    default:
      throw Problem(
        415, "media-type-unknown", "send application/json or multipart/form-data, not '\(essence.prefix(60))'")
    }
  }

  /// The fields of a form; those named in `files` are written to the disk, in whatever form they were sent.
  func parts(_ request: Request, files: Set<String>) async throws -> [FormPart] {
    guard let boundary = FormScanner.boundary(ofContentType: request.headers[.contentType] ?? "") else {
      throw Problem(400, "form-invalid", "multipart/form-data needs a boundary of 1 to 70 characters")
    }
    var reader = FormReader(boundary: boundary, files: files, folder: folder)
    try await each(request, most: bounds.body) { try reader.feed($0.readableBytesView) }
    return try reader.finish()
  }

  /// A JSON document with a creative in it, which is written to the disk if it is large.
  private func document(_ request: Request) async throws -> Submission {
    var bytes: [UInt8] = []
    var spool: FileSpool?
    try await each(request, most: bounds.body) { buffer in
      bytes += buffer.readableBytesView
      guard spool != nil || bytes.count > Self.mostInMemory else { return }
      if spool == nil { spool = try folder.spool("document") }
      try spool?.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    guard let spooled = spool?.finish() else { return try Submission(json: bytes, bounds: bounds) }
    return try await waiting { [bounds, folder] in
      guard let bytes = FileContents.read(spooled.path) else {
        throw Fault.engine("data-failed", "the body can't be read again")
      }
      return try Submission(json: bytes, bounds: bounds).spooled(to: folder)
    }
  }

  /// Runs memory-intensive work once a place is free.
  private func waiting(_ body: @escaping @Sendable () async throws -> Submission) async throws -> Submission {
    guard let connection else { return try await large.pass(body) }
    return try await connection.whileConnected { [large] in try await large.pass(body) }
  }

  /// Passes a body on piece by piece, and rejects one that is too large as soon as possible.
  private func each(_ request: Request, most: Int, _ take: (ByteBuffer) throws -> Void) async throws {
    let tooLarge = Problem(413, "body-too-large", "the body is larger than \(Unit.bytes.text(Double(most)))")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > most { throw tooLarge }
    let end = ContinuousClock.now + Self.longest
    var count = 0
    connection?.beginBody()
    defer { connection?.endBody() }
    for try await buffer in request.body {
      count += buffer.readableBytes
      guard count <= most else { throw tooLarge }
      guard ContinuousClock.now < end else {
        throw Problem(408, "body-too-slow", "the body took longer than \(Self.longest.components.seconds) s")
      }
      try take(buffer)
    }
  }
}
