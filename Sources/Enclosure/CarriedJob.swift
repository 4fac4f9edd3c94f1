internal import Core
package import RenderModel

/// A job as a worker gets it that sees no files but those of its jobs.
package struct CarriedJob: Sendable, Codable {
  /// With its files where the worker finds them.
  package var job: RenderJob
  /// What the caller calls the places where they are: each staged folder's own path.
  package var names: [String: String] = [:]

  package init(_ job: RenderJob) { self.job = job }
}
