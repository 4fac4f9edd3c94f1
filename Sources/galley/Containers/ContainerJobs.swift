internal import Jobs
internal import MRAID
internal import Planning
internal import Workers

/// A plan's jobs, once for each container, in folders of their own below the creative's.
struct ContainerJobs: Sendable {
  let plan: BatchPlan
  /// The reference first.
  let containers: [ContainerProfile]
  /// A job's id is its creative's number times the number of containers, plus its container's.
  private(set) var jobs: [RenderJob] = []

  /// Readies the folders.
  init(plan: BatchPlan, containers: [ContainerProfile]) throws(Fault) {
    (self.plan, self.containers) = (plan, containers)
    for job in plan.jobs {
      for (number, container) in containers.enumerated() {
        jobs.append(try Self.job(job, in: container, id: job.id * containers.count + number))
      }
    }
  }

  private static func job(_ job: RenderJob, in container: ContainerProfile, id: Int) throws(Fault) -> RenderJob {
    var other = job
    other.id = id
    other.output = "\(job.output)/\(container.name)"
    other.container = container.differences.isEmpty ? nil : container
    other.show(in: container)
    try ResultFolder(other.output).prepare()
    return other
  }

  /// What live lines call each job, by its id.
  var names: [String] {
    plan.items.flatMap { item in containers.map { "\(item.name) in \($0.name)" } }
  }
}
