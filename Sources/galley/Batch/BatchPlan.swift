internal import Checks
internal import Jobs

/// What a command line comes down to: jobs to render and arguments that can't be.
struct BatchPlan: Sendable {
  /// One result to come.
  struct Item: Sendable {
    /// What tables call it: the result folder's name, or the argument when there is none.
    let name: String
    /// The job, or the record of why there is none.
    let work: Work
    /// Where its creative stands among all that were found, whichever shard they are in.
    var position = 0
    /// Whether there is a folder of its name: what couldn't even be found has none.
    var hasFolder = true
  }
  enum Work: Sendable {
    case render(RenderJob)
    case refused(RenderRecord)
  }

  /// The results' folder as the caller wrote it.
  let out: String
  /// In the order of the arguments; a job's id is its item's index.
  var items: [Item]
  /// The share of the creatives found that this is, and how many those were.
  var shard: Shard?
  var found = 0

  var jobs: [RenderJob] {
    items.compactMap { if case .render(let job) = $0.work { job } else { nil } }
  }

  /// Names of the creatives whose own scenario was found beside them.
  var withOwnScenario: [String] = []
}
