internal import CNats
internal import Core

/// Faults for the library's statuses and the server's codes, with their origin.
enum NatsFault {
  /// Throws the fault of a status other than success; `action` names the attempted action, as in "publish to jobs.1".
  static func check(
    _ status: natsStatus, _ action: @autoclosure () -> String, code: jsErrCode = jsErrCode(0)
  ) throws(Fault) {
    guard status != NATS_OK else { return }
    throw fault(status, action(), code: code)
  }

  /// Returns the fault of a status other than success.
  static func fault(_ status: natsStatus, _ action: String, code: jsErrCode = jsErrCode(0)) -> Fault {
    let reason = reason(of: status)
    let message = "can't \(action): \(reason)"
    // Where no server answers the library makes up a code.
    let known = status == NATS_NO_RESPONDERS ? nil : server(code, reason, message)
    return known ?? library(status, message)
  }

  /// Returns the reason of a status: the library's text for this call if there is one, otherwise its general text.
  ///
  /// The library stores the latest text per thread; a call without one leaves the text of an earlier call.
  private static func reason(of status: natsStatus) -> String {
    var latest = NATS_OK
    let words = nats_GetLastError(&latest).map { String(cString: $0) } ?? ""
    let hasOwn = latest == status && !words.isEmpty && status != NATS_TIMEOUT
    return hasOwn ? words : String(cString: natsStatus_GetText(status))
  }

  /// Returns the fault of a server's code; nil if there is no known code.
  private static func server(_ code: jsErrCode, _ reason: String, _ message: String) -> Fault? {
    // Some calls of the library's hand on the server's words without its code.
    if code == JSStreamWrongLastSequenceErr || reason.contains("wrong last sequence") {
      return .engine(.natsRevisionDiffers, message)
    }
    if reason.contains("subjects overlap") { return .request(.natsStreamDiffers, message) }
    switch code {
    case JSStreamNotFoundErr: return .engine(.natsStreamMissing, message)
    case JSConsumerNotFoundErr: return .engine("nats-consumer-missing", message)
    case JSNoMessageFoundErr, JSSequenceNotFoundErr: return .engine("nats-message-missing", message)
    case JSStreamNameExistErr, JSStreamSubjectOverlapErr: return .request(.natsStreamDiffers, message)
    case JSNotEnabledErr, JSNotEnabledForAccountErr: return .request("nats-jetstream-missing", message)
    case JSStreamMessageExceedsMaximumErr: return .engine("nats-too-large", message)
    case JSStreamStoreFailedErr where reason.contains("maximum"): return .engine(.natsStreamFull, message)
    case JSAccountResourcesExceededErr, JSInsufficientResourcesErr, JSMemoryResourcesExceededErr,
      JSStorageResourcesExceededErr, JSStreamStoreFailedErr:
      return .engine(.natsStorageFull, message)
    case JSClusterNotAvailErr, JSClusterNoPeersErr, JSClusterNotLeaderErr, JSStreamOfflineErr, JSConsumerOfflineErr:
      return .engine(.natsUnavailable, message)
    default: return nil
    }
  }

  /// Returns the fault of a status of the library.
  private static func library(_ status: natsStatus, _ message: String) -> Fault {
    switch status {
    case NATS_TIMEOUT: .deadline(.natsTimedOut, message)
    case NATS_NO_SERVER, NATS_IO_ERROR: .engine("nats-unreachable", message)
    case NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION: .engine("nats-disconnected", message)
    case NATS_CONNECTION_CLOSED, NATS_DRAINING: .engine("nats-closed", message)
    // What is sent while the connection is lost is kept until its buffer is full.
    case NATS_INSUFFICIENT_BUFFER: .engine("nats-buffer-full", message)
    case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED: .request("nats-refused", message)
    case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_WANTED, NATS_SECURE_CONNECTION_REQUIRED:
      .request("nats-tls-failed", message)
    case NATS_NO_RESPONDERS: .engine(.natsUnavailable, message)
    case NATS_NOT_FOUND: .engine("nats-message-missing", message)
    case NATS_MAX_PAYLOAD: .engine("nats-too-large", message)
    case NATS_ADDRESS_MISSING, NATS_INVALID_ARG, NATS_INVALID_SUBJECT, NATS_INVALID_TIMEOUT:
      .request("nats-argument-invalid", message)
    default: .engine(.natsFailed, message)
    }
  }
}

extension Fault {
  /// Indicates if a retry may succeed later, since no server was available to answer the call.
  package var isPassingNatsFault: Bool {
    ["nats-timed-out", "nats-disconnected", "nats-unavailable", "nats-buffer-full", "nats-busy"].contains(code)
  }
}
