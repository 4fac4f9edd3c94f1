internal import Application
internal import ArgumentParser
internal import Cluster
internal import Core
internal import Foundation
internal import Glibc
internal import RenderModel
internal import Terminal
internal import Workers

/// Sends jobs from standard input to a queue and reports their progress on standard output.
///
/// The command is hidden. Commands that render by a queue start it, and exchange the same messages and lines with it as
/// with a local worker.
struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send jobs to a queue.", shouldDisplay: false)

  @OptionGroup(title: "Queue") var queue: QueueOptions

  func run() async throws {
    guard let settings = try queue.cluster() else { throw ValidationError("--queue is missing") }
    let client: QueueClient
    do throws(Fault) {
      let caller = try QueueCaller(.sender, user: queue.user("sender"), instance: settings.holder)
      client = try await QueueClient.connect(settings, as: caller)
    } catch {
      // Each job ends with the reason.
      for await line in Self.lines() { if let job = Self.job(line) { BatchSender.end(job, error, Self.say) } }
      return
    }
    let sender = try BatchSender(SenderClient(client), scratch: ScratchFolder.make()) { Self.say($0) }
    // A command that is gone ends this input as well.
    let reading = Task {
      for await line in Self.lines() {
        if line == ClusterPool.cancelling { return await sender.cancel() }
        if let job = Self.job(line) { await sender.send(job) }
      }
      await sender.close()
    }
    await sender.run()
    await reading.value
  }

  private static func job(_ line: String) -> RenderJob? {
    guard case .render(let job)? = try? JSONDecoder().decode(WorkerRequest.self, from: Data(line.utf8)) else {
      return nil
    }
    return job
  }

  private static func lines() -> AsyncStream<String> {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      while let text = readLine() { line.yield(text) }
      line.finish()
    }
    return lines
  }

  /// Writes a complete line, since several tasks may report at the same time.
  private static func say(_ message: WorkerMessage) {
    guard let text = JSONText.plain(message) else { return }
    var bytes = Array((text + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
