package import Core
package import RenderModel

/// A plan's jobs, once for each of several variants, in folders of their own below the creative's.
package struct VariedJobs: Sendable {
  package let plan: BatchPlan
  /// What the variants are called; the reference first.
  package let variants: [String]
  /// A job's id is its creative's number times the number of variants, plus its variant's.
  package private(set) var jobs: [RenderJob] = []

  /// Readies the folders; `vary` makes a creative's job the one of a variant.
  package init(
    plan: BatchPlan, variants: [String], vary: (_ job: inout RenderJob, _ variant: Int) -> Void
  ) throws(Fault) {
    (self.plan, self.variants) = (plan, variants)
    for job in plan.jobs {
      for (number, variant) in variants.enumerated() {
        var other = job
        other.id = job.id * variants.count + number
        other.output = "\(job.output)/\(variant)"
        vary(&other, number)
        try ResultFolder(other.output).prepare()
        jobs.append(other)
      }
    }
  }

  /// A creative's job in one of the variants.
  package func job(_ job: RenderJob, _ variant: Int) -> RenderJob? {
    jobs.first { $0.id == job.id * variants.count + variant }
  }

  /// What live lines call each job, by its id.
  package var names: [String] { plan.items.flatMap { item in variants.map { "\(item.name) \(joint) \($0)" } } }

  /// The word between a creative's name and a variant's.
  package var joint = "in"
}
