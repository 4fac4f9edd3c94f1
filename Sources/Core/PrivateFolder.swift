package import Files
internal import FoundationEssentials
internal import Glibc

/// Folders that no other user of the machine can look into.
package enum PrivateFolder {
  /// Makes a folder, with those on the way to it; one that is there stays as it is.
  package static func make(_ path: String) throws(SystemError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw SystemError(error) ?? SystemError(EIO)
    }
  }
}
