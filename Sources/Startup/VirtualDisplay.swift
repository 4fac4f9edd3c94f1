internal import CStartup
internal import Files
internal import Glibc

/// X server without a screen, started for this process and ended with it, even if the process becomes another program.
package struct VirtualDisplay: Sendable {
  /// Name of the display for `DISPLAY`, such as `:70136529`.
  package let name: String

  /// Reason for which there is no display.
  package struct StartError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// Start in progress; `wait()` completes it, so that other work can happen meanwhile.
  package struct Starting: Sendable {
    /// Descriptor of the pipe on which the server reports that it is ready.
    let reader: Int32

    /// Waits until the server accepts connections and returns the display.
    package func wait() throws(StartError) -> VirtualDisplay {
      var text = ""
      var byte: UInt8 = 0
      while read(reader, &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(Character(Unicode.Scalar(byte))) }
      Glibc.close(reader)
      guard let number = Int(text) else { throw StartError(description: "Xvfb ended before it was ready") }
      return VirtualDisplay(name: ":\(number)")
    }
  }

  /// Starts Xvfb; the kernel ends it when this process ends for any reason.
  ///
  /// Call it on a thread that lives as long as the process, since the kernel's signal depends on the starting thread.
  ///
  /// The display's number is random instead of the first free one: servers in two network namespaces that share `/tmp`
  /// don't see each other, would find the same number free and take each other's socket and key map.
  /// - Parameter folder: this process's own engine folder, which is removed together with the files that the display
  ///   leaves.
  package static func start(in folder: String) throws(StartError) -> Starting {
    guard let number = EngineFolder.drawDisplay(for: folder) else {
      throw StartError(description: "the display's number can't be noted in \(folder): \(SystemError(errno))")
    }
    guard writeCookie(to: cookie(in: folder)) else {
      throw StartError(description: "the display's cookie can't be written to \(folder): \(SystemError(errno))")
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw StartError(description: "no pipe for Xvfb: \(SystemError(errno))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Views draw off screen and the monitor is set by RandR, so the framebuffer itself stays empty and small.
    let arguments = [
      "Xvfb", ":\(number)", "-displayfd", "3", "-screen", "0", "64x64x24", "-nolisten", "tcp", "-nolisten", "local",
      "-noreset", "-dpi", "96", "-auth", cookie(in: folder),
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

  /// Returns the path of the file with the display's access cookie, for `XAUTHORITY`.
  package static func cookie(in folder: String) -> String { "\(folder)/cookie" }

  /// Writes a random cookie, valid for any machine and any display; returns false on failure.
  private static func writeCookie(to path: String) -> Bool {
    // By the system's own chance, which nobody can guess.
    var chance = SystemRandomNumberGenerator()
    let word = (0..<16).map { _ in UInt8.random(in: 0...255, using: &chance) }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    let name = Array("MIT-MAGIC-COOKIE-1".utf8)
    // Any family, no address, no number; then lengths of two bytes, the high one first.
    let entry: [UInt8] = [255, 255, 0, 0, 0, 0, 0, UInt8(name.count)] + name + [0, UInt8(word.count)] + word
    return (try? FileWriting.writeAll(entry, to: file)) != nil
  }
}

/// Child program that ends with this process and inherits none of its open files.
enum ChildProgram {
  /// Starts the program; returns its process id, or a negative errno. `file` becomes its descriptor 3.
  static func spawn(_ arguments: [String], file: Int32 = -1) -> pid_t {
    let copies = arguments.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return startup_spawn(copies + [nil], file)
  }
}
