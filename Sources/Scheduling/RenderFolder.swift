internal import FoundationEssentials
internal import Glibc
package import Recordings

/// The folder of one render's files.
package struct RenderFolder: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Folder with only the uploaded creative in it, so that no other files are served beside it.
  package var creative: String { path + "/creative" }
  /// Name of the folder of a recording that answers requests, and of its original file without the ending.
  package static let recordingName = "recording"
  /// Limits for recordings, which any client may send.
  package static let recordingBounds = RecordingBounds(bytes: 1 << 30, heads: 32 << 20)
  /// Folder of the unpacked recording that answers requests; its original file lies beside it.
  package var recording: String { "\(path)/\(Self.recordingName)" }
  /// The original file of the recording; nil if no recording answers the requests.
  package var recordingFile: String? {
    ["\(recording).zip", "\(recording).har"].first { access($0, R_OK) == 0 }
  }
  /// Name of the creative's file; nil for an address.
  package var creativeFile: String? { (try? FileManager.default.contentsOfDirectory(atPath: creative))?.first }
  /// The folder of results, in the same form as those of every command.
  package var results: String { path + "/out" }
  /// Folder of the render without the creative's own scenario, which is used by the checks and then removed.
  var unsteered: String { path + "/unsteered" }
  /// The folder of the creative's result, below that of the report.
  package func result(_ name: String) -> String { "\(results)/\(name)" }
}
