internal import Files
internal import Glibc

/// What a worker takes that needs none of its libraries: begun before they are linked, by the program that becomes the
/// worker, and handed on with the process.
package struct StartedAhead: Sendable {
  /// The process's own folder for the engine, with the lock that keeps it.
  package let folder: (path: String, lock: Int32)
  package let display: VirtualDisplay.Starting
  package let sandbox: SandboxTrial

  /// Names the environment entry by which the worker finds it: three numbers and a path.
  private static let variable = "GALLEY_STARTED"

  /// Begins all of it, to be taken by the program that this process becomes.
  ///
  /// What can't be begun the worker begins itself, and says why not. Call it on the process's first thread.
  ///
  /// - Parameter secrets: names of environment entries that only the worker is to have.
  package static func begin(hiding secrets: [String]) {
    unsetenv(variable)
    let hidden = secrets.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
    for (name, _) in hidden { unsetenv(name) }
    defer { for (name, value) in hidden { setenv(name, value, 1) } }
    EngineFolder.sweep()
    guard let folder = EngineFolder.make() else { return }
    guard let display = try? VirtualDisplay.start(in: folder.path) else {
      EngineFolder.remove(folder.path)
      close(folder.lock)
      return
    }
    for file in [folder.lock, display.reader] { _ = fcntl(file, F_SETFD, 0) }
    let trial = SandboxTrial.start().process ?? 0
    setenv(variable, "\(folder.lock) \(display.reader) \(trial) \(folder.path)", 1)
  }

  /// What was handed on to this process, once; nil where nothing was.
  package static func take() -> StartedAhead? {
    guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
    unsetenv(variable)
    let words = text.split(separator: " ", maxSplits: 3)
    let numbers = words.prefix(3).compactMap { Int32($0) }
    guard words.count == 4, numbers.count == 3 else { return nil }
    // Nothing that is started from here on keeps them.
    for file in numbers.prefix(2) { guard fcntl(file, F_SETFD, FD_CLOEXEC) == 0 else { return nil } }
    return StartedAhead(
      folder: (String(words[3]), numbers[0]), display: VirtualDisplay.Starting(reader: numbers[1]),
      sandbox: SandboxTrial(process: numbers[2] > 0 ? numbers[2] : nil))
  }
}
