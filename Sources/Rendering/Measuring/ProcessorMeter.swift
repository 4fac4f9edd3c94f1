internal import Core
internal import Foundation
internal import Glibc
internal import RenderModel
internal import WebKitRuntime

/// Follows what the ad's web process uses of the processor.
///
/// The engine doesn't say which process is a view's. When its load starts, the next creative's web process isn't started
/// yet and the last one's has ended, so it is whichever there are.
@WebKitActor final class ProcessorMeter {
  private struct Use {
    /// What the process had used when it was first seen: its start.
    let before: Double
    var now: Double
  }

  private let clock: RenderClock
  private var processes: [Int32: Use] = [:]
  private(set) var samples: [ProcessorSample] = []
  private var work: Task<Void, Never>?
  private static let interval = Duration.milliseconds(200)

  init(clock: RenderClock) { self.clock = clock }

  /// Takes in the web processes that are there now, and measures from here on.
  func begin() {
    for process in MemoryWatch.webProcesses(below: getpid()) where processes[process] == nil {
      guard let used = ProcFS.processorSeconds(of: process) else { continue }
      processes[process] = Use(before: used, now: used)
    }
    guard work == nil else { return }
    sample()
    work = Task { @WebKitActor [weak self, clock] in
      while !Task.isCancelled {
        await clock.sleep(for: Self.interval)
        if !Task.isCancelled { self?.sample() }
      }
    }
  }

  /// Measures a last time.
  func end() {
    guard let work else { return }
    work.cancel()
    sample()
  }

  private func sample() {
    for (process, use) in processes {
      if let used = ProcFS.processorSeconds(of: process) { processes[process]?.now = max(used, use.now) }
    }
    let seconds = processes.values.reduce(0) { $0 + $1.now - $1.before }
    let t = (clock.now / .milliseconds(1)).rounded()
    // Of what stands still only the ends are kept.
    if samples.count > 1, samples.suffix(2).allSatisfy({ $0.seconds == seconds }) { samples.removeLast() }
    samples.append(ProcessorSample(t: t, seconds: (seconds * 1_000).rounded() / 1_000))
  }
}
