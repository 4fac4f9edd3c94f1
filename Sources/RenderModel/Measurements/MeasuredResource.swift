internal import Core

/// One request of the ad, with all data that the engine reports.
package struct MeasuredResource: Hashable, Sendable, Codable {
  /// Header of a request or response.
  package struct Header: Hashable, Sendable, Codable {
    package var name: String
    package var value: String
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
  /// Source of the response body.
  package enum Origin: String, Sendable, Codable, CaseIterable {
    /// A file of the creative, served without the network.
    case creative
    /// The host's own script, which every SDK has in its app.
    case container
    case network
  }

  package var url: String
  package var origin: Origin
  /// `two` for the second page of a two-part expand.
  package var part: String?
  package var method: String
  /// HTTP status; 200 for the creative's own files, 0 when there was no answer.
  package var status: Int
  /// The MIME type of the answer.
  package var type: String
  /// Initiator by the page's own timeline: `img`, `script`, `css`, `fetch`, …; nil if the timeline has none.
  package var initiator: String?
  /// Milliseconds since the load began.
  package var start: Double
  package var end: Double
  /// Bytes of the body as sent; nil if unknown.
  package var encoded: Int?
  /// Bytes of the decoded body; nil if unknown.
  package var decoded: Int?
  /// Estimated size after `gzip -6`, for a file that servers compress.
  package var gzipEstimate: Int?
  package var failure: String?
  /// All addresses of a redirected request.
  package var redirects: [String]
  package var requestHeaders: [Header]
  package var responseHeaders: [Header]

  package init(
    url: String, origin: Origin, part: String? = nil, method: String = "GET", status: Int = 200, type: String = "",
    initiator: String? = nil, start: Double = 0, end: Double = 0, encoded: Int? = nil, decoded: Int? = nil,
    gzipEstimate: Int? = nil, failure: String? = nil, redirects: [String] = [], requestHeaders: [Header] = [],
    responseHeaders: [Header] = []
  ) {
    self.url = url
    self.origin = origin
    self.part = part
    self.method = method
    self.status = status
    self.type = type
    self.initiator = initiator
    self.start = start
    self.end = end
    self.encoded = encoded
    self.decoded = decoded
    self.gzipEstimate = gzipEstimate
    self.failure = failure
    self.redirects = redirects
    self.requestHeaders = requestHeaders
    self.responseHeaders = responseHeaders
  }
}

extension MeasuredResource {
  /// Actual size in bytes: as sent over the network, or of the creative's file.
  package var bytes: Int { encoded ?? decoded ?? 0 }
  /// Size in bytes as sent by a server that compresses.
  package var compressed: Int { origin == .network ? bytes : min(gzipEstimate ?? bytes, bytes) }
  /// Indicates if the resource counts as the ad's weight; the host's script doesn't, since every app has it.
  package var isWeight: Bool { origin != .container }
}

/// Sums over a part of an ad's load, without the host's own script.
package struct LoadWeight: Hashable, Sendable, Codable {
  package var requests: Int
  /// Bytes as sent over the network; files of the creative count with their own size.
  package var bytes: Int
  /// The same with the creative's own text files compressed: an estimate.
  package var compressed: Int

  package init(requests: Int = 0, bytes: Int = 0, compressed: Int = 0) {
    self.requests = requests
    self.bytes = bytes
    self.compressed = compressed
  }

  /// Adds up resources.
  package init(_ resources: some Sequence<MeasuredResource>) {
    self.init()
    for resource in resources where resource.isWeight {
      requests += 1
      bytes = Bounded.sum(bytes, resource.bytes)
      compressed = Bounded.sum(compressed, resource.compressed)
    }
  }
}
