internal import Baselines
internal import FoundationEssentials

/// What a file holds, as baselines name it.
package enum FileHash {
  /// SHA-256 in lower-case hex; nil when it can't be read.
  package static func of(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { Document.hash(of: Array($0)) }
  }
}
