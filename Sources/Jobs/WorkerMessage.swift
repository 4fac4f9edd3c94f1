/// What a worker says on its standard output, one JSON object a line.
package enum WorkerMessage: Hashable, Sendable, Codable {
  /// The worker can take a job.
  case ready
  /// The job's present phase, for progress lines.
  case progress(job: Int, phase: String)
  /// The job is done and its results are on disk.
  case finished(job: Int, record: RenderRecord)
}

/// What a worker is told on its standard input, one JSON object a line.
package enum WorkerRequest: Hashable, Sendable, Codable {
  /// Render this; end of input means finish and exit.
  case render(RenderJob)

  /// Names the environment entry with the clock that a worker's engine lives in: it starts with the process.
  package static let clockVariable = "GALLEY_CLOCK"
}
