internal import CWebKitGTK
internal import Core
package import Engine

/// Sends the host's own requests, by the same way as pages' requests.
@EngineActor package final class HTTPClient {
  private let session: UnsafeMutablePointer<SoupSession>
  private let trustsProxy: Bool

  /// - Parameters:
  ///   - proxy: address by which every request goes, redirected ones too, like `http://127.0.0.1:3128`; nil for none.
  ///   - patience: seconds for which a server may be silent.
  ///   - trustsProxy: true if the proxy judges certificates, so that any is accepted here.
  package init(proxy: String?, patience: Int, trustsProxy: Bool = false) {
    self.trustsProxy = trustsProxy
    session = soup_session_new()
    soup_session_set_timeout(session, guint(patience))
    let resolver = proxy.map { g_simple_proxy_resolver_new($0, nil) }
    if let resolver {
      soup_session_set_proxy_resolver(session, resolver)
      g_object_unref(UnsafeMutableRawPointer(resolver))
    }
  }

  isolated deinit {
    soup_session_abort(session)
    g_object_unref(session)
  }

  /// Gets an address, following redirects; an answer with any status is returned.
  /// - Parameters:
  ///   - headers: by name.
  ///   - limit: bytes that a body may have.
  package func get(
    _ url: String, headers: [String: String] = [:], limit: Int
  ) async throws(HTTPFailure) -> HTTPAnswer {
    guard let message = soup_message_new("GET", url) else { throw HTTPFailure("it isn't an address") }
    defer { g_object_unref(UnsafeMutableRawPointer(message)) }
    if trustsProxy {
      galley_connect(
        UnsafeMutableRawPointer(message), "accept-certificate", unsafeBitCast(onCertificate, to: GCallback.self), nil,
        nil)
    }
    let head = soup_message_get_request_headers(message)
    for (name, value) in headers { soup_message_headers_replace(head, name, value) }
    let stream = try await send(message)
    defer { g_object_unref(stream) }
    var body: [UInt8] = []
    while true {
      let chunk = try await read(stream)
      if chunk.isEmpty { return HTTPAnswer(status: Int(soup_message_get_status(message).rawValue), body: body) }
      guard body.count + chunk.count <= limit else {
        throw HTTPFailure("the response is larger than \(limit) bytes")
      }
      body += chunk
    }
  }

  private func send(_ message: OpaquePointer) async throws(HTTPFailure) -> UnsafeMutablePointer<GInputStream> {
    let outcome = await EngineActor.wait { (wakeup: Sent.Awakening) in
      soup_session_send_async(
        session, message, G_PRIORITY_DEFAULT, nil, { onSent($0, $1, $2) }, Sent(wakeup).retained())
    }
    guard let stream = UnsafeMutablePointer<GInputStream>(bitPattern: try outcome.get()) else {
      throw HTTPFailure("no response")
    }
    return stream
  }

  /// Reads the next bytes; empty at the end.
  private func read(_ stream: UnsafeMutablePointer<GInputStream>) async throws(HTTPFailure) -> [UInt8] {
    let outcome = await EngineActor.wait { (wakeup: Read.Awakening) in
      g_input_stream_read_bytes_async(
        stream, 65_536, G_PRIORITY_DEFAULT, nil, { onRead($0, $1, $2) }, Read(wakeup).retained())
    }
    return try outcome.get()
  }
}

private let onCertificate: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> gboolean = { _, _, _, _ in 1 }

/// Wait for an answer's stream, which is passed as its address.
private typealias Sent = Waiting<UInt>
private typealias Read = Waiting<[UInt8]>

/// Waiting caller of an asynchronous function of the network library.
private final class Waiting<Value: Sendable>: Sendable {
  typealias Awakening = Wakeup<Result<Value, HTTPFailure>>
  private let wakeup: Awakening

  init(_ wakeup: Awakening) { self.wakeup = wakeup }

  func retained() -> gpointer { Unmanaged.passRetained(self).toOpaque() }

  /// Ends the wait that `data` stands for: with the value or with the error, which is freed.
  static func end(_ data: gpointer, _ value: Value?, _ error: UnsafeMutablePointer<GError>?) {
    let waiting = Unmanaged<Waiting>.fromOpaque(data).takeRetainedValue()
    let message = error.map { String(cString: $0.pointee.message) } ?? "no response"
    if let error { g_error_free(error) }
    waiting.wakeup.resume(returning: value.map(Result.success) ?? .failure(HTTPFailure(message)))
  }
}

private func onSent(_ session: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let session, let data else { return }
  var error: UnsafeMutablePointer<GError>?
  let stream = session.withMemoryRebound(to: SoupSession.self, capacity: 1) {
    soup_session_send_finish($0, result, &error)
  }
  Sent.end(data, stream.map { UInt(bitPattern: $0) }, error)
}

private func onRead(_ stream: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
  guard let stream, let data else { return }
  var error: UnsafeMutablePointer<GError>?
  let bytes = stream.withMemoryRebound(to: GInputStream.self, capacity: 1) {
    g_input_stream_read_bytes_finish($0, result, &error)
  }
  defer { g_bytes_unref(bytes) }
  Read.end(
    data,
    bytes.map { bytes in
      var size: gsize = 0
      let start = g_bytes_get_data(bytes, &size)
      return Array(UnsafeRawBufferPointer(start: start, count: Int(size)))
    }, error)
}
