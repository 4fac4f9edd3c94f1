/// How a worker's process ended and the last it wrote to its standard error.
struct WorkerExit: Hashable, Sendable, CustomStringConvertible {
  /// The three ways to end.
  enum Cause: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
    /// There never was a process.
    case notStarted(String)
  }

  var cause: Cause
  var errorTail: String

  init(_ cause: Cause, errorTail: String = "") {
    self.cause = cause
    self.errorTail = errorTail
  }

  var description: String {
    switch cause {
    case .status(let status): "exited with status \(status)"
    case .signal(let signal): "died by \(Self.name(of: signal))"
    case .notStarted(let reason): "couldn't be started: \(reason)"
    }
  }

  /// The last line of the error tail as the end of a sentence, cut to what a person reads.
  var quote: String {
    guard let line = errorTail.split(whereSeparator: \.isNewline).last else { return "" }
    return "; it last wrote: \(line.prefix(300))"
  }

  private static func name(of signal: Int32) -> String {
    let names: [Int32: String] = [
      2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL",
      11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 31: "SIGSYS",
    ]
    return names[signal] ?? "signal \(signal)"
  }
}
