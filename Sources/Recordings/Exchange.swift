/// One thing that was asked for over the network and what came of it: a request with its response, or a web socket.
///
/// All instants are milliseconds since the render began, by the render's own time; durations are the machine's.
package struct Exchange: Codable, Hashable, Sendable {
  /// Its place in the order of asking, from 0.
  package var index: Int
  /// In capitals, like `GET`.
  package var method: String
  /// Absolute, without a fragment; `ws:` and `wss:` for web sockets.
  package var url: String
  /// As the page asked, in the order of the wire, nothing meant for the proxy among them.
  package var requestHeaders: [Header]
  /// What was sent along; nil for nothing.
  package var requestBody: Content?
  /// When it was asked for.
  package var startedAt: Double
  /// The machine's date of that, in seconds since 1970.
  package var date: Double
  /// What took how long.
  package var timing: Timing
  /// Who answered; nil when nobody was reached.
  package var server: Server?
  /// The response; nil where none came.
  package var response: Response?
  /// Why no response came, or why it broke off; nil where it is whole.
  package var failure: Failure?
  /// What of the page asked for it, as its own timeline has it: `img`, `script`, `css`, `fetch`; nil where nobody
  /// measured.
  package var initiator: String?
  /// A web socket's messages in their order; nil for what is no web socket.
  package var messages: [SocketMessage]?
  /// How it came by the render's own time; nil where that isn't known, as in a recording of somebody else's.
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

  /// When a response came by the render's own time, and in which order.
  package struct Arrival: Codable, Hashable, Sendable {
    /// The head's place among all that came, from 0: what comes at one instant comes again in this order.
    package var place: Int
    /// The same of the body's end.
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

  /// One line of a head.
  package struct Header: Codable, Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A body, which lies in the recording's folder under its digest.
  package struct Content: Codable, Hashable, Sendable {
    /// SHA-256 of the bytes, 64 hexadecimal digits.
    package var digest: String
    /// In bytes, decoded.
    package var size: Int
    /// As its sender calls it, with parameters; empty for nothing said.
    package var mimeType: String

    package init(digest: String, size: Int, mimeType: String) {
      self.digest = digest
      self.size = size
      self.mimeType = mimeType
    }
  }

  /// Milliseconds of each part; nil for one that wasn't there, like connecting by a connection that was open.
  package struct Timing: Codable, Hashable, Sendable {
    package var dns: Double?
    package var connect: Double?
    package var tls: Double?
    package var send: Double?
    /// From the request's end to the response's head.
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

    /// From the request to the response's head.
    package var untilHead: Double { [dns, connect, tls, send, wait].reduce(0) { $0 + ($1 ?? 0) } }
  }

  /// Who answered, and how the connection was kept.
  package struct Server: Codable, Hashable, Sendable {
    package var address: String
    package var port: Int
    /// All that the name stood for when it was asked, `address` among them.
    package var resolved: [String]
    /// Nil in the clear.
    package var tls: TLS?

    package init(address: String, port: Int, resolved: [String] = [], tls: TLS? = nil) {
      self.address = address
      self.port = port
      self.resolved = resolved
      self.tls = tls
    }
  }

  /// What is known of a connection's protection.
  package struct TLS: Codable, Hashable, Sendable {
    /// Like `TLSv1.3`.
    package var version: String
    package var subject: String
    package var issuer: String
    /// Seconds since 1970.
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

  /// A response: its head, and its body without the encoding it was sent in.
  package struct Response: Codable, Hashable, Sendable {
    package var status: Int
    package var reason: String
    /// Like `HTTP/1.1`.
    package var version: String
    /// As they came; `Content-Encoding` and `Content-Length` speak of the bytes on the wire.
    package var headers: [Header]
    /// Nil for none.
    package var content: Content?
    /// Bytes of the body on the wire.
    package var wireSize: Int
    /// How a body came that took its time, like an event stream; nil for one that came at once or whose pace is no matter.
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

  /// A part of a body that came by itself.
  package struct Piece: Codable, Hashable, Sendable {
    /// Milliseconds of the render's time after the piece before it, or after the head.
    package var after: Double
    /// In bytes, decoded.
    package var size: Int
    /// Its place among all that came; nil where that isn't known.
    package var place: Int?

    package init(after: Double, size: Int, place: Int? = nil) {
      self.after = after
      self.size = size
      self.place = place
    }
  }

  /// Why a response didn't come; the raw values are a stable vocabulary.
  package enum Failure: String, Codable, Sendable {
    /// The name isn't known.
    case dns
    /// Nobody could be reached.
    case unreachable
    /// The address may not be spoken to.
    case refused
    /// The server's certificate isn't to be trusted, or no protection could be agreed on.
    case tls
    /// The connection ended too early.
    case reset
    /// The recording doesn't have it.
    case missing
  }

  /// A message of a web socket.
  package struct SocketMessage: Codable, Hashable, Sendable {
    /// Whether the page sent it.
    package var isSent: Bool
    /// Milliseconds of the render's time after the message before it, or after the socket was open.
    package var after: Double
    /// 1 for text, 2 for bytes, 8 for the end, as on the wire.
    package var opcode: Int
    /// Text as it is, bytes as base 64.
    package var data: String
    /// Its place among all that came; nil where that isn't known.
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
