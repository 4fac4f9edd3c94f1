internal import Core
internal import Foundation
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Builders of the responses that this server sends.
enum Answer {
  /// A JSON document.
  static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) throws -> Response {
    text(try JSONText.of(value), type: "application/json", status: status, headers: headers)
  }

  /// Text with a media type.
  static func text(
    _ text: String, type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    bytes(ByteBuffer(string: text), type: type, status: status, headers: headers)
  }

  /// Bytes with a media type. Caches must not store the response unless `headers` say otherwise.
  static func bytes(
    _ buffer: ByteBuffer, type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = type
    if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: buffer))
  }

  /// A file that never changes, cacheable for a year; nil if it doesn't exist.
  static func file(_ path: String, type: String, _ context: some RequestContext) async throws -> Response? {
    let headers: HTTPFields = [.cacheControl: "private, max-age=31536000, immutable"]
    return try await file(path, type: type, bytes: nil, headers: headers, context)
  }

  /// The first `bytes` bytes of a file, or all of it for nil, read as the client receives them; nil if the file doesn't
  /// exist.
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

/// Negotiation of the media type by the client's Accept header.
package enum MediaChoice {
  /// The offer with the highest quality, the first of several equal ones; nil if the client accepts none.
  package static func best(of offers: [String], accept: String?) -> String? {
    guard let accept, !accept.trimmingSpaces.isEmpty else { return offers.first }
    let ranges = accept.split(separator: ",").compactMap(range)
    let rated = offers.map { offer in (offer, quality(of: offer, ranges)) }
    let best = rated.map(\.1).max() ?? 0
    return best > 0 ? rated.first { $0.1 == best }?.0 : nil
  }

  /// The quality that the most specific range gives an offer.
  private static func quality(of offer: String, _ ranges: [(type: String, quality: Double)]) -> Double {
    let family = offer.prefix { $0 != "/" } + "/*"
    for wanted in [offer, String(family), "*/*"] {
      if let found = ranges.first(where: { $0.type == wanted }) { return found.quality }
    }
    return 0
  }

  private static func range(_ text: Substring) -> (type: String, quality: Double)? {
    let parts = text.split(separator: ";").map { $0.trimmingSpaces }
    guard let type = parts.first?.lowercased(), type.contains("/") else { return nil }
    let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
    return (type, weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1)
  }
}

/// Whole files.
enum FileContents {
  /// Reads a file; nil if it can't be read.
  static func read(_ path: String) -> [UInt8]? { try? FileReading.regular(path, most: .max) }
}

/// Reading of the query part of an address.
package enum QueryText {
  /// Decoded names and values in their order; plus signs stand for spaces.
  package static func parameters(_ query: String) -> [(name: String, value: String)] {
    query.split(separator: "&").map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(decoded)
      return (pair[0], pair.count > 1 ? pair[1] : "")
    }
  }

  private static func decoded(_ text: Substring) -> String {
    let spaced = String(text).replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
}
