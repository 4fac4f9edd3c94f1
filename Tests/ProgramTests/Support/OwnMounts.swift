import Foundation

/// File systems that only one command sees.
enum OwnMounts {
  /// Whether this user may make them; containers and hardened systems often forbid it.
  static let areAllowed: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "unshare --map-root-user --mount mount -t tmpfs tmpfs /mnt 2> /dev/null"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
