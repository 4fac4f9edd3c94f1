package import Files
internal import FoundationEssentials
internal import Glibc

/// Why something failed, whose fault it is, and a stable code for machines.
package struct Fault: Error, Hashable, Sendable, Codable {
  /// Who has to act.
  package enum Origin: String, Sendable, Codable, CaseIterable {
    /// Whoever called Galley: a wrong path, option, device or scenario.
    case request
    /// The creative's author.
    case creative
    /// Nobody certain: the time allowed was over.
    case deadline
    /// Galley or the machine under it.
    case engine
  }

  package var origin: Origin
  /// Stable, kebab-case, never reused for another meaning: `zip-broken`.
  package var code: String
  /// One line a person can act on; what of it is a creative's text can't be more than text.
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
  /// What an error while writing to `path` means. A full or broken disk is the machine's fault; a place that can't be
  /// written to is that of the caller, who chose it. One that isn't there is the caller's only where they named it.
  package static func writing(_ path: String, _ error: any Error, isNamed: Bool = false) -> Fault {
    if let error = error as? SystemError { return writing(path, error, isNamed: isNamed) }
    let cocoa = error as? CocoaError
    if let posix = error as? POSIXError ?? cocoa?.underlying as? POSIXError {
      return writing(path, SystemError(posix.code.rawValue), isNamed: isNamed)
    }
    switch cocoa?.code {
    case .fileWriteOutOfSpace?: return writing(path, SystemError(ENOSPC))
    case .fileNoSuchFile?: return writing(path, SystemError(ENOENT), isNamed: isNamed)
    case .fileWriteNoPermission?: return writing(path, SystemError(EACCES))
    case .fileWriteVolumeReadOnly?: return writing(path, SystemError(EROFS))
    // What isn't of the file system, as a value that has no form in JSON, is of Galley's making.
    default: return .engine("output-failed", "can't write to \(path): \(error)")
    }
  }

  /// The same by the system's number.
  package static func writing(_ path: String, _ error: SystemError, isNamed: Bool = false) -> Fault {
    let message = "can't write to \(path): \(error)"
    switch error.number {
    case ENOSPC, EDQUOT: return .engine("disk-full", message)
    case ENOENT where !isNamed: return .engine("output-failed", message)
    case 0, EIO, EINVAL, ENOMEM, EMFILE, ENFILE, ENOBUFS: return .engine("output-failed", message)
    default: return .request("output-unwritable", message)
    }
  }
}
