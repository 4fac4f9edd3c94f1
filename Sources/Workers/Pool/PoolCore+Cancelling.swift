internal import Jobs

extension PoolCore {
  /// Takes a job off the books; a worker that renders it is ended, as nothing else stops a creative.
  mutating func cancel(_ job: Int) -> [PoolEffect] {
    guard entries.removeValue(forKey: job) != nil else { return [] }
    queue.removeAll { $0 == job }
    let owner = workers.first { $0.value.present == job && $0.value.isActive }
    // A job that a worker holds to render next is dropped when its turn comes.
    return owner.map { drop($0.key) } ?? []
  }

  /// Ends a worker whose present job nobody wants.
  mutating func drop(_ worker: Int) -> [PoolEffect] {
    workers[worker]?.phase = .condemned(.cancelled)
    return [.kill(worker: worker)]
  }
}
