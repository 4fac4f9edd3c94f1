internal import Core
internal import Files
internal import FoundationEssentials
internal import NIOCore
internal import Recordings

/// Stores the traffic: bodies are written to the disk as they arrive, each exchange once it has ended.
final class RecordingWriter {
  private let folder: RecordingFolder
  private var open: [Int: RecordedExchange] = [:]
  private var written = 0
  private var bytes = 0
  private var hasFailed = false
  /// Maximum number of bytes of all bodies together.
  private static let most = 4 << 30

  init(_ path: String) throws {
    folder = try RecordingFolder.create(path)
  }

  /// Starts to record an exchange.
  func begin(_ exchange: Exchange, body: [UInt8]?) -> RecordedExchange {
    let recorded = RecordedExchange(exchange, self)
    if let body {
      let type = exchange.requestHeaders.first { $0.name.lowercased() == "content-type" }?.value ?? ""
      attempt {
        let file = try folder.beginBody()
        try body.withUnsafeBytes { try file.write($0) }
        recorded.exchange.requestBody = try file.finish(mimeType: type)
      }
    }
    open[exchange.index] = recorded
    return recorded
  }

  /// Creates a file for a body; nil if the recording has failed.
  fileprivate func beginBody() -> BodyFile? {
    guard !hasFailed else { return nil }
    var file: BodyFile?
    attempt { file = try folder.beginBody() }
    return file
  }

  fileprivate func took(_ count: Int) {
    bytes += count
    if bytes > Self.most { fail(.request("recording-too-large", "the recording has more than \(Self.most >> 30) GiB")) }
  }

  fileprivate func end(_ recorded: RecordedExchange) {
    guard open.removeValue(forKey: recorded.exchange.index) != nil, !hasFailed else { return }
    attempt {
      try folder.append(recorded.exchange)
      written += 1
    }
  }

  /// Writes the exchanges that are still open, such as endless streams; returns the number of exchanges.
  func finish() -> Int {
    for recorded in open.values.sorted(by: { $0.exchange.index < $1.exchange.index }) { recorded.end() }
    return written
  }

  fileprivate func attempt(_ work: () throws -> Void) {
    guard !hasFailed else { return }
    do {
      try work()
    } catch let fault as Fault {
      fail(fault)
    } catch {
      fail(.engine("recording-unwritable", "can't write the recording: \(error)"))
    }
  }

  private func fail(_ fault: Fault) {
    guard !hasFailed else { return }
    hasFailed = true
    RecorderOutput.say(.failed(fault))
  }
}

/// An exchange while it is recorded.
final class RecordedExchange {
  var exchange: Exchange
  private let writer: RecordingWriter
  private var body: BodyFile?
  private var decoder: ContentDecoder?
  private var size = 0
  /// Bytes of the stored messages of a web socket.
  private var messageBytes = 0
  private static let mostMessages = (count: 10_000, bytes: 8 << 20)

  init(_ exchange: Exchange, _ writer: RecordingWriter) {
    self.exchange = exchange
    self.writer = writer
  }

  /// Stores the head of a response.
  func take(_ response: Exchange.Response) {
    exchange.response = response
    let encoding = response.headers.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
    decoder = encoding.isEmpty ? nil : ContentDecoder(encoding.joined(separator: ","))
  }

  /// Stores bytes of the body as they are on the wire; returns their number after decoding.
  @discardableResult func take(_ bytes: ByteBuffer) -> Int {
    exchange.response?.wireSize += bytes.readableBytes
    if body == nil { body = writer.beginBody() }
    guard let body else { return 0 }
    let before = size
    writer.attempt {
      try bytes.withUnsafeReadableBytes { bytes in
        guard let decoder else { return try keep(bytes, body) }
        do {
          try decoder.take(bytes) { try keep($0, body) }
        } catch is ContentDecoder.DecodingError {
          // A page finds it broken as well.
          exchange.failure = .reset
        }
      }
    }
    return size - before
  }

  private func keep(_ bytes: UnsafeRawBufferPointer, _ body: BodyFile) throws {
    try body.write(bytes)
    size += bytes.count
    writer.took(bytes.count)
  }

  /// Stores a message of a web socket, in either direction, up to a maximum number and size.
  func take(_ message: Exchange.SocketMessage) {
    messageBytes += message.data.utf8.count
    guard (exchange.messages?.count ?? 0) < Self.mostMessages.count, messageBytes <= Self.mostMessages.bytes else {
      return
    }
    exchange.messages = (exchange.messages ?? []) + [message]
  }

  func end() {
    if let body {
      let type = exchange.response?.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
      writer.attempt { exchange.response?.content = try body.finish(mimeType: type) }
      self.body = nil
    }
    writer.end(self)
  }
}
