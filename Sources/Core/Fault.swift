package import Files
internal import FoundationEssentials
internal import Glibc

/// Error with its origin, a stable code for machines and a message for people.
package struct Fault: Error, Hashable, Sendable, Codable {
  /// The party that has to act on the error.
  package enum Origin: String, Sendable, Codable, CaseIterable {
    /// The caller of Galley: a wrong path, option, device or scenario.
    case request
    /// The creative's author.
    case creative
    /// No certain party: the allowed time ran out.
    case deadline
    /// Galley or the machine under it.
    case engine
  }

  package var origin: Origin
  /// Stable identifier in kebab case, never reused for another meaning: `zip-broken`.
  package var code: String
  /// One line that a user can act on; parts that come from a creative are reduced to harmless text.
  package var message: String

  package init(_ origin: Origin, _ code: String, _ message: String) {
    self.origin = origin
    self.code = code
    self.message = message.printable
  }

  package static func request(_ code: String, _ message: String) -> Fault { Fault(.request, code, message) }
  package static func creative(_ code: String, _ message: String) -> Fault { Fault(.creative, code, message) }
  package static func deadline(_ code: String, _ message: String) -> Fault { Fault(.deadline, code, message) }
  package static func engine(_ code: String, _ message: String) -> Fault { Fault(.engine, code, message) }
}

extension Fault: CustomStringConvertible {
  package var description: String { "\(message) [\(origin.rawValue): \(code)]" }
}

extension Fault {
  /// Makes the fault for an error that occurred while writing to `path`.
  ///
  /// A full or broken disk is the machine's fault. A place that can't be written to is the caller's, who chose it. A
  /// missing place is the caller's only if the caller named it (`isNamed`).
  package static func writing(_ path: String, _ error: any Error, isNamed: Bool = false) -> Fault {
    if let error = SystemError(error) { return writing(path, error, isNamed: isNamed) }
    // What isn't of the file system, as a value that has no representation in JSON, is of Galley's making.
    return .engine("output-failed", "can't write to \(path): \(error)")
  }

  /// The same for an error number of the system.
  package static func writing(_ path: String, _ error: SystemError, isNamed: Bool = false) -> Fault {
    let message = "can't write to \(path): \(error)"
    switch error.number {
    case ENOSPC, EDQUOT: return .engine(.diskFull, message)
    case ENOENT where !isNamed: return .engine("output-failed", message)
    case 0, EIO, EINVAL, ENOMEM, EMFILE, ENFILE, ENOBUFS: return .engine("output-failed", message)
    default: return .request("output-unwritable", message)
    }
  }
}

extension SystemError {
  /// The system's error number behind an error of Foundation's; nil for an error that isn't about a file.
  package init?(_ error: any Error) {
    if let error = error as? SystemError {
      self = error
      return
    }
    let cocoa = error as? CocoaError
    if let posix = error as? POSIXError ?? cocoa?.underlying as? POSIXError {
      self.init(posix.code.rawValue)
      return
    }
    switch cocoa?.code {
    case .fileWriteOutOfSpace?: self.init(ENOSPC)
    case .fileNoSuchFile?: self.init(ENOENT)
    case .fileWriteNoPermission?: self.init(EACCES)
    case .fileWriteVolumeReadOnly?: self.init(EROFS)
    default: return nil
    }
  }
}
