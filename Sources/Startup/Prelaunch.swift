internal import Files
internal import Glibc

/// Resources of a worker that need none of its libraries, started before these are linked.
///
/// The program that becomes the worker starts them and passes them on with the process.
package struct Prelaunch: Sendable {
  /// Folder of this process for the engine, with the descriptor of the lock that protects it from removal.
  package let folder: (path: String, lock: Int32)
  package let display: VirtualDisplay.Starting
  package let sandbox: SandboxTrial

  /// Name of the environment variable by which the worker finds the resources: three numbers and a path.
  private static let variable = "GALLEY_STARTED"

  /// Starts all resources, to be taken by the program that this process becomes.
  ///
  /// The worker starts what couldn't be started here itself, and reports the reason. Call it on the process's first
  /// thread.
  /// - Parameter secrets: names of environment variables that only the worker is to have.
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

  /// Returns the resources that were passed to this process, at the first call only; nil if there are none.
  package static func take() -> Prelaunch? {
    guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
    unsetenv(variable)
    let words = text.split(separator: " ", maxSplits: 3)
    let numbers = words.prefix(3).compactMap { Int32($0) }
    guard words.count == 4, numbers.count == 3 else { return nil }
    // Nothing that is started from here on keeps them.
    for file in numbers.prefix(2) { guard fcntl(file, F_SETFD, FD_CLOEXEC) == 0 else { return nil } }
    return Prelaunch(
      folder: (String(words[3]), numbers[0]), display: VirtualDisplay.Starting(reader: numbers[1]),
      sandbox: SandboxTrial(process: numbers[2] > 0 ? numbers[2] : nil))
  }
}
