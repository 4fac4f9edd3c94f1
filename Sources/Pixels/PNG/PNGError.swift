internal import Glibc

/// Why a PNG couldn't be made, understood, written or read.
package enum PNGError: Error, Hashable, Sendable {
  /// A bitmap without pixels, which the format can't hold.
  case empty
  /// More pixels or bytes than are handled; a file that claims so many is refused before memory is taken.
  case tooLarge(String)
  /// Not a PNG, a broken one or one that ends early; in the decoder's words.
  case malformed(String)
  /// The codec found no memory.
  case outOfMemory
  /// A system call failed on a file; `number` is its errno.
  case file(operation: String, path: String, number: Int32)

  /// Stable and kebab-case, for machines.
  package var code: String {
    switch self {
    case .empty: "png-empty"
    case .tooLarge: "png-too-large"
    case .malformed: "png-malformed"
    case .outOfMemory: "png-out-of-memory"
    case .file(_, _, ENOSPC), .file(_, _, EDQUOT): "png-disk-full"
    case .file(_, _, EACCES), .file(_, _, EPERM), .file(_, _, EROFS): "png-not-permitted"
    case .file: "png-file"
    }
  }
}

extension PNGError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "a picture needs at least one pixel"
    case .tooLarge(let what): "the picture is too large: \(what)"
    case .malformed(let reason): "not a readable PNG: \(reason)"
    case .outOfMemory: "not enough memory for the picture"
    case .file(let operation, let path, let number):
      "can't \(operation) \(path): \(String(cString: strerror(number))) (errno \(number))"
    }
  }
}
