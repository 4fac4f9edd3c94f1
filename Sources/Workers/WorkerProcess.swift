package import Core
internal import Foundation
internal import Glibc
internal import RenderModel
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// One worker process from its start to its exit.
struct WorkerProcess: Sendable {
  let executable: String
  var arguments: [String] = []
  /// Added to the needed part of this process's own environment.
  let environment: [String: String]
  /// Lines for the worker's input; the end of the stream ends the input.
  let requests: AsyncStream<[UInt8]>
  /// Any element kills the process.
  let kills: AsyncStream<Void>

  /// A process to start and its number in the pool.
  struct Start: Sendable {
    let number: Int
    let process: WorkerProcess
  }

  /// Starts the process, forwards its messages in order and returns its exit; cancelling the task kills it.
  func run(
    began: @escaping @Sendable (Int32) async -> Void = { _ in },
    receive: @escaping @Sendable (WorkerMessage) async -> Void
  ) async -> WorkerExit {
    BrokenPipes.survive()
    let tail = OutputTail()
    return await withTaskGroup(of: WorkerExit.Cause?.self) { group in
      group.addTask { await live(tail, began, receive) }
      group.addTask {
        for await _ in kills { return nil }
        return nil
      }
      var cause: WorkerExit.Cause?
      while let ended = await group.next() {
        cause = ended ?? cause
        group.cancelAll()
      }
      return WorkerExit(cause ?? .signal(9), errorTail: tail.text)
    }
  }

  /// Runs the process and returns the cause of its end.
  private func live(
    _ tail: OutputTail, _ began: @escaping @Sendable (Int32) async -> Void,
    _ receive: @escaping @Sendable (WorkerMessage) async -> Void
  ) async -> WorkerExit.Cause {
    do {
      let result = try await Subprocess.run(
        .path(FilePath(executable)), arguments: Arguments(arguments), environment: .custom(variables),
        platformOptions: Self.options, input: .inputWriter, output: .sequence, error: .sequence
      ) { execution in
        await began(execution.processIdentifier.value)
        let writer = execution.standardInputWriter
        let output = execution.standardOutput
        let errors = execution.standardError
        try await withThrowingTaskGroup(of: Bool.self) { group in
          group.addTask {
            await Self.write(requests, to: writer)
            return false
          }
          group.addTask {
            for try await buffer in errors { tail.append(buffer.withUnsafeBytes { Array($0) }) }
            return false
          }
          group.addTask {
            try await Self.listen(to: output, receive)
            return true
          }
          while let outputEnded = try await group.next() {
            if outputEnded { group.cancelAll() }
          }
        }
      }
      return switch result.terminationStatus {
      case .exited(let status): .status(status)
      case .signaled(let signal): .signal(signal)
      }
    } catch is CancellationError {
      return .signal(9)
    } catch {
      return .notStarted("\(error)")
    }
  }

  private var variables: [Environment.Key: String] {
    Dictionary(
      WorkerEnvironment.make(with: environment).compactMap { name, value in
        Environment.Key(rawValue: name).map { ($0, value) }
      },
      uniquingKeysWith: { $1 })
  }

  /// Puts the process into a group of its own: a terminal's Ctrl-C reaches only the command, which then ends its
  /// workers in order.
  private static var options: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }

  /// Writes every request as a line; a worker that is gone is noticed by its exit, not here.
  private static func write(_ requests: AsyncStream<[UInt8]>, to writer: StandardInputWriter) async {
    for await line in requests { _ = try? await writer.write(line) }
    try? await writer.finish()
  }

  /// Forwards every line that is a message; other output, such as a library's print, is ignored.
  private static func listen(
    to output: SubprocessOutputSequence, _ receive: @Sendable (WorkerMessage) async -> Void
  ) async throws {
    let decoder = JSONDecoder()
    var splitter = LineSplitter()
    for try await buffer in output {
      for line in splitter.appendBytes(buffer.withUnsafeBytes { Array($0) }) {
        if let message = try? decoder.decode(WorkerMessage.self, from: Data(line)) { await receive(message) }
      }
    }
  }
}

/// Galley's own programs that are started by this one.
package enum Executables {
  /// Name of the variable in which tests set the path of another worker program.
  private static let workerVariable = "GALLEY_WORKER_PATH"

  /// Path of the running program.
  package static var own: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/proc/self/exe"
  }

  /// Name of the program that becomes a worker which can see only the files of its jobs.
  static let enclosure = "galley-enclosure"

  /// Names of Galley's own programs and libraries that are missing beside this program.
  package static var missingParts: [String] {
    let programs = ["galley-worker", enclosure, "galley-fork-client"]
    let libraries = ["Clock", "Guard", "ForkServer", "WebExtension"].map { "libGalley\($0).so" }
    return programs.filter { !FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
      + libraries.filter { !FileManager.default.isReadableFile(atPath: "\(folder)/\($0)") }
  }

  private static var folder: Substring { own[..<(own.lastIndex(of: "/") ?? own.endIndex)] }

  /// Replaces this process by another program beside this one.
  ///
  /// It returns only on failure; the result is true if the program is there.
  package static func become(_ name: String, _ words: [String]) -> Bool {
    let path = "\(folder)/\(name)"
    var arguments = ([path] + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    execv(path, &arguments)
    return FileManager.default.isExecutableFile(atPath: path)
  }

  /// Path of one of Galley's programs beside this one; nil if it isn't built.
  package static func beside(_ name: String) -> String? {
    let path = "\(folder)/\(name)"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  /// Path of the worker program: `GALLEY_WORKER_PATH`, else `galley-enclosure` or `galley-worker` beside this program.
  ///
  /// The enclosure shuts the worker off from the machine's files; without it, the worker is started directly.
  package static func worker(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Fault) -> String {
    try ProcessLimits.check()
    let path = environment[workerVariable] ?? folder + "/galley-worker"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw .engine("worker-missing", "there is no worker program at \(path)")
    }
    let enclosure = "\(folder)/\(enclosure)"
    let isEnclosed = environment[workerVariable] == nil && FileManager.default.isExecutableFile(atPath: enclosure)
    return isEnclosed ? enclosure : path
  }
}

/// Exit of a worker process: its cause and the last output on standard error.
struct WorkerExit: Hashable, Sendable, CustomStringConvertible {
  /// The three kinds of exit.
  enum Cause: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
    /// No process could be started.
    case notStarted(String)
  }

  var cause: Cause
  private var errorTail: String

  init(_ cause: Cause, errorTail: String = "") {
    self.cause = cause
    self.errorTail = errorTail
  }

  var description: String {
    switch cause {
    case .status(let status): "exited with status \(status)"
    case .signal(let signal): "was terminated by \(Self.name(of: signal))"
    case .notStarted(let reason): "couldn't start: \(reason)"
    }
  }

  /// The last line of the error output as the end of a sentence, cut to 300 characters.
  var quote: String {
    guard let line = errorTail.split(whereSeparator: \.isNewline).last else { return "" }
    return "; last output: \(line.prefix(300))"
  }

  private static func name(of signal: Int32) -> String {
    let names: [Int32: String] = [
      2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL",
      11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 31: "SIGSYS",
    ]
    return names[signal] ?? "signal \(signal)"
  }
}

/// The last bytes of a stream, collected while it is read and used once it has ended.
final class OutputTail: Sendable {
  private let limit: Int
  private let bytes = Mutex<[UInt8]>([])

  init(limit: Int = 4096) {
    self.limit = limit
  }

  func append(_ more: [UInt8]) {
    bytes.withLock { kept in
      kept += more
      if kept.count > limit { kept.removeFirst(kept.count - limit) }
    }
  }

  /// The collected bytes as text, without white space at the ends; broken UTF-8 is repaired.
  var text: String {
    let text = String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    let trimmed = text.drop(while: \.isWhitespace)
    return String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
  }
}

/// Splits a byte stream at line feeds alone: JSON text may hold every other kind of line break unescaped.
struct LineSplitter: Sendable {
  /// Maximum number of bytes in a line; a longer one is no message and is dropped.
  private let longest: Int
  private var rest: [UInt8] = []
  private var isTooLong = false

  init(longest: Int = 64 << 20) {
    self.longest = longest
  }

  /// The lines completed by these bytes, without their line feeds.
  mutating func appendBytes(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !isTooLong { lines.append(rest) }
        (rest, isTooLong) = ([], false)
      } else if rest.count >= longest || isTooLong {
        (rest, isTooLong) = ([], true)
      } else {
        rest.append(byte)
      }
    }
    return lines
  }
}

/// Prevents a write to a process that has just died from ending this process too.
package enum BrokenPipes {
  /// Ignores SIGPIPE from now on, so that such a write fails like any other.
  package static func survive() { _ = survived }

  private static let survived: Void = { signal(SIGPIPE, SIG_IGN) }()
}
