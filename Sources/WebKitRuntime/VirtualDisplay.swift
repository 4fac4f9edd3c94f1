internal import Core
internal import CWebKitGTK
internal import Files
internal import Glibc

/// An X server without a screen, started for this process and ended with it.
package struct VirtualDisplay: Sendable {
  /// `:70136529`, for `DISPLAY`.
  package let name: String
  /// The Xvfb process.
  private let processID: Int32

  /// Why there is no display.
  package struct StartError: Error, CustomStringConvertible {
    package let description: String
  }

  /// A start in progress; `wait()` ends it, so that other work can happen meanwhile.
  package struct Starting: Sendable {
    fileprivate let processID: Int32
    fileprivate let reader: Int32

    /// Returns when the server takes connections.
    package func wait() throws(StartError) -> VirtualDisplay {
      var text = ""
      var byte: UInt8 = 0
      while read(reader, &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(Character(Unicode.Scalar(byte))) }
      Glibc.close(reader)
      guard let number = Int(text) else { throw StartError(description: "Xvfb ended before it was ready") }
      return VirtualDisplay(name: ":\(number)", processID: processID)
    }
  }

  /// Starts Xvfb; the kernel ends it when this process ends, however that happens.
  ///
  /// Call it on a thread that lives as long as the process: the kernel's signal goes by the starting thread.
  ///
  /// Its number is drawn, not looked for: servers in two network namespaces that share `/tmp` don't see each other, find
  /// the same number free and take each other's socket and key map.
  package static func start() throws(StartError) -> Starting {
    guard let folder = EngineFolders.root, let number = EngineFolder.drawDisplay(for: folder) else {
      throw StartError(description: "no folder can be made in \(EngineFolder.place): \(SystemError(errno))")
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw StartError(description: "no pipe for Xvfb: errno \(errno)") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // What else is open here, connections among it, would stay open as long as the display.
    galley_spawn_closes(&actions, 4)
    // Views draw off screen and the monitor is set by RandR, so the framebuffer itself stays empty and small.
    let arguments = [
      "setpriv", "--pdeathsig", "KILL", "Xvfb", ":\(number)", "-displayfd", "3", "-screen", "0", "64x64x24",
      "-nolisten", "tcp", "-nolisten", "local", "-noreset", "-dpi", "96",
    ]
    var processID: pid_t = 0
    let status = withCStrings(arguments) { posix_spawnp(&processID, "setpriv", &actions, nil, $0, environ) }
    Glibc.close(ends[1])
    guard status == 0 else {
      Glibc.close(ends[0])
      throw StartError(description: "Xvfb can't be started: errno \(status); is the package xvfb installed?")
    }
    return Starting(processID: processID, reader: ends[0])
  }
}

/// Lends `strings` as a null-terminated C array.
private func withCStrings<T>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T) -> T {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
