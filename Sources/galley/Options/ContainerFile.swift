internal import Core
internal import Foundation
internal import Jobs
internal import MRAID
internal import Planning

/// A container described in a file of the caller's, in the form of those that ship with Galley.
enum ContainerFile {
  /// Reads one; a file that is none is the caller's fault.
  static func read(_ path: String) throws(Fault) -> ContainerProfile {
    let bytes: [UInt8]
    do throws(FileReadingError) {
      bytes = try FileReading.named(path, most: 1 << 20)
    } catch {
      throw .request("no-such-file", "the container file \(path) can't be read: \(error)")
    }
    return try ContainerProfile.described(by: Data(bytes), called: path)
  }
}
