/// How many workers a pool has and how patient it is with them; durations in seconds.
package struct PoolSettings: Sendable {
  /// Absolute path of `galley-worker`.
  package var executable: String
  /// Workers at a time; fewer are started when there are fewer jobs.
  package var capacity: Int
  /// Marks every process of this pool.
  package var run: RunIdentifier
  /// What a job may take beyond its own timeout before its worker is killed.
  package var grace: Double
  /// From starting a worker, or handing it a job, to its first word about it.
  package var startAllowance: Double
  /// What a worker may take to exit once its input has ended.
  package var leaveAllowance: Double
  /// Creatives after which a worker is replaced, so that leaks of the engine stay small.
  package var recycleAfter: Int
  /// Mebibytes of resident memory beyond which a worker is replaced after its creative; nil for any.
  package var recycleAbove: Int?
  /// Workers that are kept ready though there is nothing to render.
  package var warm: Int
  /// Further environment of the workers.
  package var environment: [String: String]

  package init(
    executable: String, capacity: Int, run: RunIdentifier = RunIdentifier(), grace: Double = 5,
    startAllowance: Double = 30, leaveAllowance: Double = 2, recycleAfter: Int = 100, recycleAbove: Int? = nil,
    warm: Int = 0, environment: [String: String] = [:]
  ) {
    self.executable = executable
    self.capacity = max(1, capacity)
    self.run = run
    self.grace = grace
    self.startAllowance = startAllowance
    self.leaveAllowance = leaveAllowance
    self.recycleAfter = max(1, recycleAfter)
    self.recycleAbove = recycleAbove
    self.warm = min(max(0, warm), self.capacity)
    self.environment = environment
  }
}
