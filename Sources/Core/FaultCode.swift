/// Error codes by which the program itself decides, so that the compiler knows each by a name.
///
/// `ErrorCodes` has the meanings of these and of all other codes.
package enum FaultCode: String, Sendable, CaseIterable {
  case changeTooLarge = "change-too-large"
  case contentMissing = "content-missing"
  case dataLost = "data-lost"
  case diskFull = "disk-full"
  case elementMissing = "element-missing"
  case journalDiffers = "journal-differs"
  case journalGap = "journal-gap"
  case journalNewer = "journal-newer"
  case leaseLost = "lease-lost"
  case memoryExceeded = "memory-exceeded"
  case natsFailed = "nats-failed"
  case natsObjectBroken = "nats-object-broken"
  case natsObjectMissing = "nats-object-missing"
  case natsRevisionDiffers = "nats-revision-differs"
  case natsStorageFull = "nats-storage-full"
  case natsStreamDiffers = "nats-stream-differs"
  case natsStreamFull = "nats-stream-full"
  case natsStreamMissing = "nats-stream-missing"
  case natsTimedOut = "nats-timed-out"
  case natsUnavailable = "nats-unavailable"
  case partUnknown = "part-unknown"
  case recordUnsendable = "record-unsendable"
  case resultFolderMissing = "result-folder-missing"
  case resultMissing = "result-missing"
  case sandboxMissing = "sandbox-missing"
  case transferGone = "transfer-gone"
  case webProcessCrashed = "web-process-crashed"
  case workerDied = "worker-died"
}

extension Fault {
  /// Indicates if the fault has this code.
  package func has(_ code: FaultCode) -> Bool { self.code == code.rawValue }

  package static func request(_ code: FaultCode, _ message: String) -> Fault { .request(code.rawValue, message) }
  package static func creative(_ code: FaultCode, _ message: String) -> Fault { .creative(code.rawValue, message) }
  package static func deadline(_ code: FaultCode, _ message: String) -> Fault { .deadline(code.rawValue, message) }
  package static func engine(_ code: FaultCode, _ message: String) -> Fault { .engine(code.rawValue, message) }
}
