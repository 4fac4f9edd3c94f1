internal import FoundationEssentials
internal import Glibc
internal import Jobs
internal import Subprocess
internal import SystemPackage

/// One worker process from its start to its exit.
struct WorkerProcess: Sendable {
  let executable: String
  /// Set on top of what is needed of this process's own environment.
  let environment: [String: String]
  /// Lines for the worker's input; the end of the stream ends the input.
  let requests: AsyncStream<[UInt8]>
  /// Anything coming here kills the process.
  let kills: AsyncStream<Void>

  /// A process to start and its number in the pool.
  struct Start: Sendable {
    let number: Int
    let process: WorkerProcess
  }

  /// Starts the process, passes on what it says in order and returns how it ended; cancelling the task kills it.
  func run(
    began: @escaping @Sendable (Int32) async -> Void = { _ in },
    hear: @escaping @Sendable (WorkerMessage) async -> Void
  ) async -> WorkerExit {
    BrokenPipes.survive()
    let tail = OutputTail()
    return await withTaskGroup(of: WorkerExit.Cause?.self) { group in
      group.addTask { await live(tail, began, hear) }
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

  /// Runs the process and tells its cause of death.
  private func live(
    _ tail: OutputTail, _ began: @escaping @Sendable (Int32) async -> Void,
    _ hear: @escaping @Sendable (WorkerMessage) async -> Void
  ) async -> WorkerExit.Cause {
    do {
      let result = try await Subprocess.run(
        .path(FilePath(executable)), environment: .custom(variables), platformOptions: Self.options,
        input: .inputWriter, output: .sequence, error: .sequence
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
            try await Self.listen(to: output, hear)
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

  /// A process group of its own: a terminal's Ctrl-C is for the command, which then ends its workers in order.
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

  /// Passes on every line that is a message; a library's stray print on standard output does no harm.
  private static func listen(
    to output: SubprocessOutputSequence, _ hear: @Sendable (WorkerMessage) async -> Void
  ) async throws {
    let decoder = JSONDecoder()
    var splitter = LineSplitter()
    for try await buffer in output {
      for line in splitter.take(buffer.withUnsafeBytes { Array($0) }) {
        if let message = try? decoder.decode(WorkerMessage.self, from: Data(line)) { await hear(message) }
      }
    }
  }
}
