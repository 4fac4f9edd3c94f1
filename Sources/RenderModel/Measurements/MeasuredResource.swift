internal import Core

/// One request of the ad's, with all that the engine tells of it.
package struct MeasuredResource: Hashable, Sendable, Codable {
  /// A line of a request's or response's head.
  package struct Header: Hashable, Sendable, Codable {
    package var name: String
    package var value: String
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
  /// Where its body came from.
  package enum Origin: String, Sendable, Codable, CaseIterable {
    /// A file of the creative, served without a network.
    case creative
    /// The host's own script, which every SDK has at hand.
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
  /// What asked for it, by the page's own timeline: `img`, `script`, `css`, `fetch`, …; nil when that doesn't say.
  package var initiator: String?
  /// Milliseconds since the load began.
  package var start: Double
  package var end: Double
  /// Bytes of the body as sent; nil when nobody tells.
  package var encoded: Int?
  /// Bytes of the body once decoded.
  package var decoded: Int?
  /// Of a file that servers compress, what `gzip -6` would about make of it: an estimate.
  package var gzipEstimate: Int?
  package var failure: String?
  /// Each address on the way, when there were redirects.
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
  /// Bytes as they are: as sent over a network, or the creative's file.
  package var bytes: Int { encoded ?? decoded ?? 0 }
  /// Bytes as a server that compresses would send them.
  package var compressed: Int { origin == .network ? bytes : min(gzipEstimate ?? bytes, bytes) }
  /// Whether the ad costs this; the host's script is there anyway.
  package var isWeight: Bool { origin != .container }
}

/// What a part of an ad's load comes to; the host's own script isn't counted.
package struct LoadWeight: Hashable, Sendable, Codable {
  package var requests: Int
  /// As sent, files of the creative as they are.
  package var bytes: Int
  /// The same with the creative's own text files compressed: an estimate.
  package var compressed: Int

  package init(requests: Int = 0, bytes: Int = 0, compressed: Int = 0) {
    self.requests = requests
    self.bytes = bytes
    self.compressed = compressed
  }

  /// The sum of these.
  package init(_ resources: some Sequence<MeasuredResource>) {
    self.init()
    for resource in resources where resource.isWeight {
      requests += 1
      bytes = Bounded.sum(bytes, resource.bytes)
      compressed = Bounded.sum(compressed, resource.compressed)
    }
  }
}
