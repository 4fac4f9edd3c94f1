package import Core
package import RenderModel

/// Jobs of a plan, once for each of several variants, in subfolders of the creative's.
package struct JobVariants: Sendable {
  package let plan: BatchPlan
  /// Names of the variants, with the reference first.
  package let variants: [String]
  /// Jobs with ids formed from the creative's number times the number of variants, plus the variant's number.
  package private(set) var jobs: [RenderJob] = []

  /// Prepares the folders; `vary` changes a creative's job into that of a variant.
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

  /// Returns a creative's job in one of the variants; nil if there is none.
  package func job(_ job: RenderJob, _ variant: Int) -> RenderJob? {
    jobs.first { $0.id == job.id * variants.count + variant }
  }

  /// Names of the jobs in live lines, indexed by job id.
  package var names: [String] { plan.items.flatMap { item in variants.map { "\(item.name) \(joint) \($0)" } } }

  /// Word between the names of a creative and a variant.
  package var joint = "in"
}
