internal import CStartup
internal import Files
internal import Glibc

/// An X server without a screen, started for this process and ended with it, whatever program the process becomes.
package struct VirtualDisplay: Sendable {
  /// `:70136529`, for `DISPLAY`.
  package let name: String

  /// Why there is no display.
  package struct StartError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// A start in progress; `wait()` ends it, so that other work can happen meanwhile.
  package struct Starting: Sendable {
    /// Where the server says that it is ready.
    let reader: Int32

    /// Returns when the server takes connections.
    package func wait() throws(StartError) -> VirtualDisplay {
      var text = ""
      var byte: UInt8 = 0
      while read(reader, &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(Character(Unicode.Scalar(byte))) }
      Glibc.close(reader)
      guard let number = Int(text) else { throw StartError(description: "Xvfb ended before it was ready") }
      return VirtualDisplay(name: ":\(number)")
    }
  }

  /// Starts Xvfb; the kernel ends it when this process ends, however that happens.
  ///
  /// Call it on a thread that lives as long as the process: the kernel's signal goes by the starting thread.
  ///
  /// Its number is drawn, not looked for: servers in two network namespaces that share `/tmp` don't see each other,
  /// find the same number free and take each other's socket and key map.
  ///
  /// - Parameter folder: this process's own engine folder, which is removed together with what the display leaves.
  package static func start(in folder: String) throws(StartError) -> Starting {
    guard let number = EngineFolder.drawDisplay(for: folder) else {
      throw StartError(description: "the display's number can't be noted in \(folder): \(SystemError(errno))")
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw StartError(description: "no pipe for Xvfb: \(SystemError(errno))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Views draw off screen and the monitor is set by RandR, so the framebuffer itself stays empty and small.
    let arguments = [
      "Xvfb", ":\(number)", "-displayfd", "3", "-screen", "0", "64x64x24", "-nolisten", "tcp", "-nolisten", "local",
      "-noreset", "-dpi", "96",
    ]
    let process = ChildProgram.spawn(arguments + Keyboard.options(in: folder), file: ends[1])
    Glibc.close(ends[1])
    guard process > 0 else {
      Glibc.close(ends[0])
      throw StartError(
        description: "Xvfb can't be started: \(SystemError(-process)); is the package xvfb installed?")
    }
    return Starting(reader: ends[0])
  }
}

/// A program that ends with this process and keeps nothing of it open.
enum ChildProgram {
  /// Its process id, or a negative errno; `file` becomes its descriptor 3.
  static func spawn(_ arguments: [String], file: Int32 = -1) -> pid_t {
    let copies = arguments.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return startup_spawn(copies + [nil], file)
  }
}
