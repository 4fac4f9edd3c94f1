internal import Core
internal import Engine
internal import Foundation
internal import Glibc
internal import Hosting
internal import RenderModel

/// Measures the processor time of the ad's web process.
///
/// The engine doesn't reveal which process belongs to a view. When the ad's load starts, the web process of the next
/// creative hasn't started and that of the last one has ended, so all web processes count.
@EngineActor final class ProcessorMeter {
  private struct Use {
    /// Seconds that the process had used for its start when it was first seen.
    let before: Double
    var now: Double
  }

  private let clock: RenderClock
  private var processes: [Int32: Use] = [:]
  private(set) var samples: [ProcessorSample] = []
  private var work: Task<Void, Never>?
  private static let interval = Duration.milliseconds(200)

  init(clock: RenderClock) { self.clock = clock }

  /// Adds the web processes that exist now, and measures from here on.
  func begin() {
    for process in MemoryWatch.webProcesses(below: getpid()) where processes[process] == nil {
      guard let used = ProcFS.processorSeconds(of: process) else { continue }
      processes[process] = Use(before: used, now: used)
    }
    guard work == nil else { return }
    sample()
    work = Task { @EngineActor [weak self, clock] in
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
