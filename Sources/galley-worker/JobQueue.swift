internal import Jobs
internal import Synchronization

/// The jobs a worker has been given, so that it can look at the one to come.
final class JobQueue: Sendable {
  private let jobs = Mutex<[RenderJob]>([])

  func add(_ job: RenderJob) { jobs.withLock { $0.append(job) } }

  /// The job that follows this one, if it has come; forgets all before.
  func next(after id: Int) -> RenderJob? {
    jobs.withLock { jobs in
      guard let index = jobs.firstIndex(where: { $0.id == id }) else { return nil }
      jobs.removeFirst(index)
      return jobs.dropFirst().first
    }
  }
}
