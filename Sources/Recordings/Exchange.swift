/// One use of the network and its result: a request with its response, or a web socket.
///
/// All instants are milliseconds since the render began, by the render's own time; durations are the machine's.
package struct Exchange: Codable, Hashable, Sendable {
  /// Place in the order of requests, from 0.
  package var index: Int
  /// Method in capitals, as `GET`.
  package var method: String
  /// Absolute address without a fragment; `ws:` and `wss:` for web sockets.
  package var url: String
  /// Headers as the page sent them, in the order of the wire, without those for the proxy.
  package var requestHeaders: [Header]
  /// Body of the request; nil for none.
  package var requestBody: Content?
  /// Instant of the request.
  package var startedAt: Double
  /// Date of the request by the machine's clock, in seconds since 1970.
  package var date: Double
  /// Durations of the exchange's phases.
  package var timing: Timing
  /// Server that answered; nil when none was reached.
  package var server: Server?
  /// Response; nil when none came.
  package var response: Response?
  /// Reason why no response came or why it broke off; nil when it is complete.
  package var failure: Failure?
  /// Kind of the element or script that sent the request, as `img`, `script`, `css`, `fetch` in the page's own
  /// timeline; nil if unmeasured.
  package var initiator: String?
  /// Messages of a web socket in their order; nil for other exchanges.
  package var messages: [SocketMessage]?
  /// Arrival by the render's own time; nil if unknown, as in a recording by another program.
  package var arrival: Arrival?

  package init(
    index: Int, method: String, url: String, requestHeaders: [Header] = [], requestBody: Content? = nil,
    startedAt: Double = 0, date: Double = 0, timing: Timing = Timing(), server: Server? = nil,
    response: Response? = nil, failure: Failure? = nil, messages: [SocketMessage]? = nil, arrival: Arrival? = nil
  ) {
    self.arrival = arrival
    self.index = index
    self.method = method
    self.url = url
    self.requestHeaders = requestHeaders
    self.requestBody = requestBody
    self.startedAt = startedAt
    self.date = date
    self.timing = timing
    self.server = server
    self.response = response
    self.failure = failure
    self.messages = messages
  }

  /// Arrival of a response by the render's own time, and its place in the order of arrival.
  package struct Arrival: Codable, Hashable, Sendable {
    /// Place of the head among all arrivals, from 0: arrivals at one instant are replayed in this order.
    package var place: Int
    /// Place of the body's end in the same order.
    package var endPlace: Int?
    /// Milliseconds from the request to the head.
    package var head: Double
    /// Milliseconds from the head to the end of the body.
    package var end: Double

    package init(place: Int, head: Double, end: Double = 0, endPlace: Int? = nil) {
      self.place = place
      self.endPlace = endPlace
      self.head = head
      self.end = end
    }
  }

  /// One header of a request or a response.
  package struct Header: Codable, Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A body, which is stored in the recording's folder under its digest.
  package struct Content: Codable, Hashable, Sendable {
    /// SHA-256 of the bytes, 64 hexadecimal digits.
    package var digest: String
    /// Number of bytes, decoded.
    package var size: Int
    /// Type that its sender declares, with parameters; empty if undeclared.
    package var mimeType: String

    package init(digest: String, size: Int, mimeType: String) {
      self.digest = digest
      self.size = size
      self.mimeType = mimeType
    }
  }

  /// Milliseconds of each phase; nil for a phase that didn't occur, such as connecting when a connection was open.
  package struct Timing: Codable, Hashable, Sendable {
    package var dns: Double?
    package var connect: Double?
    package var tls: Double?
    package var send: Double?
    /// Milliseconds from the request's end to the response's head.
    package var wait: Double?
    package var receive: Double?

    package init(
      dns: Double? = nil, connect: Double? = nil, tls: Double? = nil, send: Double? = nil, wait: Double? = nil,
      receive: Double? = nil
    ) {
      self.dns = dns
      self.connect = connect
      self.tls = tls
      self.send = send
      self.wait = wait
      self.receive = receive
    }

    /// Milliseconds from the request to the response's head.
    package var untilHead: Double { [dns, connect, tls, send, wait].reduce(0) { $0 + ($1 ?? 0) } }
  }

  /// Server that answered, and the encryption of its connection.
  package struct Server: Codable, Hashable, Sendable {
    package var address: String
    package var port: Int
    /// All addresses to which the name resolved at the time of the request, including `address`.
    package var resolved: [String]
    /// Encryption of the connection; nil for none.
    package var tls: TLS?

    package init(address: String, port: Int, resolved: [String] = [], tls: TLS? = nil) {
      self.address = address
      self.port = port
      self.resolved = resolved
      self.tls = tls
    }
  }

  /// Version of TLS, and the server's certificate.
  package struct TLS: Codable, Hashable, Sendable {
    /// Version, as `TLSv1.3`.
    package var version: String
    package var subject: String
    package var issuer: String
    /// Seconds since 1970 at the begin of validity; `validTo` is the end.
    package var validFrom: Double
    package var validTo: Double

    package init(version: String, subject: String, issuer: String, validFrom: Double, validTo: Double) {
      self.version = version
      self.subject = subject
      self.issuer = issuer
      self.validFrom = validFrom
      self.validTo = validTo
    }
  }

  /// A response: its head, and its body without content encoding.
  package struct Response: Codable, Hashable, Sendable {
    package var status: Int
    package var reason: String
    /// Version, as `HTTP/1.1`.
    package var version: String
    /// Headers as received; `Content-Encoding` and `Content-Length` describe the bytes on the wire.
    package var headers: [Header]
    /// Body; nil for none.
    package var content: Content?
    /// Bytes of the body on the wire.
    package var wireSize: Int
    /// Parts of a body that arrived over time, as an event stream; nil if it came at once or its pace doesn't matter.
    package var pieces: [Piece]?

    package init(
      status: Int, reason: String = "", version: String = "HTTP/1.1", headers: [Header] = [], content: Content? = nil,
      wireSize: Int = 0, pieces: [Piece]? = nil
    ) {
      self.status = status
      self.reason = reason
      self.version = version
      self.headers = headers
      self.content = content
      self.wireSize = wireSize
      self.pieces = pieces
    }
  }

  /// A part of a body that arrived separately.
  package struct Piece: Codable, Hashable, Sendable {
    /// Milliseconds of the render's time since the piece before, or since the head.
    package var after: Double
    /// Number of bytes, decoded.
    package var size: Int
    /// Place among all arrivals; nil if unknown.
    package var place: Int?

    package init(after: Double, size: Int, place: Int? = nil) {
      self.after = after
      self.size = size
      self.place = place
    }
  }

  /// Reason why a response didn't come; the raw values are a stable vocabulary.
  package enum Failure: String, Codable, Sendable {
    /// The host's name is unknown.
    case dns
    /// No server could be reached.
    case unreachable
    /// Connections to the address are forbidden.
    case refused
    /// The server's certificate isn't trusted, or TLS couldn't be negotiated.
    case tls
    /// The connection ended too early.
    case reset
    /// The recording doesn't have the request.
    case missing
  }

  /// A message of a web socket.
  package struct SocketMessage: Codable, Hashable, Sendable {
    /// Indicates if the page sent the message.
    package var isSent: Bool
    /// Milliseconds of the render's time since the message before, or since the opening of the socket.
    package var after: Double
    /// Opcode as on the wire: 1 for text, 2 for bytes, 8 for the end.
    package var opcode: Int
    /// Text as it is, or bytes as base 64.
    package var data: String
    /// Place among all arrivals; nil if unknown.
    package var place: Int?

    package init(isSent: Bool, after: Double, opcode: Int, data: String, place: Int? = nil) {
      self.place = place
      self.isSent = isSent
      self.after = after
      self.opcode = opcode
      self.data = data
    }
  }
}
