internal import CGnuTLS
internal import Glibc
internal import NIOCore

/// One end of TLS, between plain bytes and those of the wire; it has no socket of its own.
final class TLSSession {
  private let pointer: gnutls_session_t
  /// Credentials that GnuTLS uses until the session ends.
  private let credentials: TLSCredentials
  private var incoming = ByteBuffer()
  private var outgoing = ByteBuffer()
  private var hasWireEnded = false

  /// Maximum number of bytes of a record.
  private static let largestRecord = 16_384

  enum Progress {
    case done, needsMore
  }

  enum Received {
    case bytes(ByteBuffer)
    case needsMore
    /// The other end has closed its direction.
    case end
  }

  /// Creates the end of a server, which presents its certificates.
  static func server(_ credentials: TLSCredentials) throws -> TLSSession {
    try TLSSession(UInt32(GNUTLS_SERVER), credentials)
  }

  /// Creates the end of a client, which verifies the certificates of a host by its name or address.
  static func client(_ credentials: TLSCredentials, host: String, isNumber: Bool) throws -> TLSSession {
    let session = try TLSSession(UInt32(GNUTLS_CLIENT), credentials)
    if !isNumber {
      try TLSError.check(gnutls_server_name_set(session.pointer, GNUTLS_NAME_DNS, host, host.utf8.count))
    }
    session.host = strdup(host)
    gnutls_session_set_verify_cert(session.pointer, session.host, 0)
    return session
  }

  /// Host's name that certificates are verified by; GnuTLS doesn't copy it.
  private var host: UnsafeMutablePointer<CChar>?

  private init(_ end: UInt32, _ credentials: TLSCredentials) throws {
    self.credentials = credentials
    pointer = try TLSError.made { gnutls_init($0, end | UInt32(GNUTLS_NONBLOCK)) }
    try TLSError.check(gnutls_set_default_priority(pointer))
    try TLSError.check(
      gnutls_credentials_set(pointer, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials.pointer)))
    try Self.speakHTTP(pointer)
    gnutls_transport_set_ptr(pointer, Unmanaged.passUnretained(self).toOpaque())
    gnutls_transport_set_pull_function(pointer) { session, bytes, count in
      guard let session, let bytes else { return -1 }
      return Unmanaged<TLSSession>.fromOpaque(session).takeUnretainedValue().pull(bytes, count)
    }
    gnutls_transport_set_push_function(pointer) { session, bytes, count in
      guard let session, let bytes else { return -1 }
      let buffer = UnsafeRawBufferPointer(start: bytes, count: count)
      return Unmanaged<TLSSession>.fromOpaque(session).takeUnretainedValue().outgoing.writeBytes(buffer)
    }
  }

  deinit {
    gnutls_deinit(pointer)
    free(host)
  }

  private static func speakHTTP(_ pointer: gnutls_session_t) throws {
    var name = Array("http/1.1".utf8)
    let count = UInt32(name.count)
    try name.withUnsafeMutableBufferPointer { bytes in
      var datum = gnutls_datum_t(data: bytes.baseAddress, size: count)
      _ = try TLSError.check(gnutls_alpn_set_protocols(pointer, &datum, 1, 0))
    }
  }

  private func pull(_ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    let count = min(count, incoming.readableBytes)
    guard count > 0 else {
      guard !hasWireEnded else { return 0 }
      gnutls_transport_set_errno(pointer, EAGAIN)
      return -1
    }
    incoming.readWithUnsafeReadableBytes { from in
      bytes.copyMemory(from: from.baseAddress!, byteCount: count)
      return count
    }
    return count
  }

  /// Adds bytes received from the wire.
  func take(_ bytes: ByteBuffer) {
    incoming.discardReadBytes()
    incoming.writeImmutableBuffer(bytes)
  }

  /// Marks the wire as closed: no more bytes will be received.
  func endWire() { hasWireEnded = true }

  /// Returns the bytes to write to the wire; nil for none.
  func takeOutgoing() -> ByteBuffer? {
    guard outgoing.readableBytes > 0 else { return nil }
    defer { outgoing = ByteBuffer() }
    return outgoing
  }

  /// Continues the handshake as far as the bytes received allow.
  func shakeHands() throws -> Progress {
    while true {
      let result = gnutls_handshake(pointer)
      if result == GNUTLS_E_SUCCESS { return .done }
      if result == GNUTLS_E_AGAIN || result == GNUTLS_E_INTERRUPTED { return .needsMore }
      guard gnutls_error_is_fatal(result) == 0 else {
        gnutls_alert_send_appropriate(pointer, result)
        throw TLSError(code: result)
      }
    }
  }

  /// Returns the next plain bytes.
  func receive() throws -> Received {
    var plain = ByteBuffer()
    while true {
      var result = 0
      plain.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.largestRecord) { bytes in
        result = gnutls_record_recv(pointer, bytes.baseAddress!, Self.largestRecord)
        return max(0, result)
      }
      switch Int32(clamping: result) {
      case 1...: return .bytes(plain)
      case 0: return .end
      case GNUTLS_E_AGAIN, GNUTLS_E_INTERRUPTED: return .needsMore
      // Hands that are shaken anew are the other end's wish alone.
      case GNUTLS_E_REHANDSHAKE: gnutls_alert_send(pointer, GNUTLS_AL_WARNING, GNUTLS_A_NO_RENEGOTIATION)
      case let code where gnutls_error_is_fatal(code) == 0: continue
      case let code: throw TLSError(code: code)
      }
    }
  }

  /// Encrypts plain bytes for sending.
  func send(_ plain: ByteBuffer) throws {
    var plain = plain
    while plain.readableBytes > 0 {
      let result = plain.withUnsafeReadableBytes { bytes in
        gnutls_record_send(pointer, bytes.baseAddress!, min(bytes.count, Self.largestRecord))
      }
      if result == Int(GNUTLS_E_AGAIN) || result == Int(GNUTLS_E_INTERRUPTED) { continue }
      guard result > 0 else { throw TLSError(code: Int32(clamping: result)) }
      plain.moveReaderIndex(forwardBy: result)
    }
  }

  /// Sends the notice that no more bytes follow.
  func end() { gnutls_bye(pointer, GNUTLS_SHUT_WR) }

  /// Version of TLS that both ends agreed on.
  var version: String {
    switch gnutls_protocol_get_version(pointer) {
    case GNUTLS_TLS1_3: "TLSv1.3"
    case GNUTLS_TLS1_2: "TLSv1.2"
    case GNUTLS_TLS1_1: "TLSv1.1"
    default: "TLSv1"
    }
  }

  /// Certificate of the other end; nil if there is none or it can't be read.
  var certificate: X509Certificate? {
    var count: UInt32 = 0
    guard let chain = gnutls_certificate_get_peers(pointer, &count), count > 0 else { return nil }
    return try? X509Certificate(der: chain.pointee)
  }
}
