internal import Jobs

/// A render that workers are done with, and its record.
struct Conclusion: Sendable {
  let work: RenderWork
  let record: RenderRecord
}
