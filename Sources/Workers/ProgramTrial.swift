internal import Core
internal import Foundation
internal import Subprocess
internal import SystemPackage

/// Test run of a program of the machine, to find out if it works.
package struct ProgramTrial: Sendable {
  /// Result of the run.
  package struct Outcome: Hashable, Sendable {
    /// Ways in which a run can end.
    package enum End: Hashable, Sendable {
      case status(Int32)
      case signal(Int32)
      /// There is no such program.
      case missing
      case overdue
      case notStarted(String)
    }

    package let end: End
    /// Standard output, cut to a few thousand bytes.
    package let output: String
    package let errors: String

    /// Indicates if the program exited with status 0.
    package var isSuccess: Bool { end == .status(0) }

    /// Description of the failure, as the predicate of a sentence.
    package var complaint: String {
      let last = errors.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(200))" } ?? ""
      return switch end {
      case .status(let status): "ended with status \(status)\(last)"
      case .signal(let signal): "ended by signal \(signal)\(last)"
      case .missing: "isn't installed"
      case .overdue: "didn't answer in time\(last)"
      case .notStarted(let reason): "can't start: \(reason)"
      }
    }
  }

  private let name: String
  private let arguments: [String]
  private let environment: [String: String]
  private let endsWithFirstLine: Bool

  /// `environment` is added to this process's own; `endsWithFirstLine` is for a program that doesn't end by itself.
  package init(
    _ name: String, _ arguments: [String] = [], environment: [String: String] = [:], endsWithFirstLine: Bool = false
  ) {
    (self.name, self.arguments, self.environment) = (name, arguments, environment)
    self.endsWithFirstLine = endsWithFirstLine
  }

  /// Runs the program, for at most so many seconds.
  package func run(seconds: Double = 10) async -> Outcome {
    BrokenPipes.survive()
    let (output, errors) = (OutputTail(), OutputTail())
    let end = await withTaskGroup(of: Outcome.End.self) { group in
      group.addTask { await live(output, errors) }
      group.addTask {
        try? await Task.sleep(for: Bounded.seconds(seconds))
        return .overdue
      }
      let first = await group.next() ?? .overdue
      group.cancelAll()
      return first
    }
    return Outcome(end: end, output: output.text, errors: errors.text)
  }

  private func live(_ output: OutputTail, _ errors: OutputTail) async -> Outcome.End {
    do {
      let result = try await Subprocess.run(
        .name(name), arguments: Arguments(arguments), environment: variables, input: .none,
        output: .sequence, error: .sequence
      ) { execution in
        let (printed, complained) = (execution.standardOutput, execution.standardError)
        async let complaints: Void = Self.keep(complained, in: errors) { _ in false }
        await Self.keep(printed, in: output) { endsWithFirstLine && $0.contains(UInt8(ascii: "\n")) }
        if endsWithFirstLine { try? execution.send(signal: .terminate) }
        await complaints
      }
      return switch result.terminationStatus {
      case .exited(let status): .status(status)
      case .signaled(let signal): .signal(signal)
      }
    } catch let error as SubprocessError where error.code == .executableNotFound {
      return .missing
    } catch {
      return .notStarted("\(error)")
    }
  }

  /// Stores a stream's output until `isEnough` accepts a part of it or the stream ends.
  private static func keep(
    _ stream: SubprocessOutputSequence, in tail: OutputTail, until isEnough: @Sendable ([UInt8]) -> Bool
  ) async {
    do {
      for try await buffer in stream {
        let bytes = buffer.withUnsafeBytes { Array($0) }
        tail.append(bytes)
        if isEnough(bytes) { return }
      }
    } catch {
      // What was kept has to do.
    }
  }

  private var variables: Environment {
    .inherit.updating(
      Dictionary(
        environment.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, Optional(value)) } },
        uniquingKeysWith: { $1 }))
  }
}
