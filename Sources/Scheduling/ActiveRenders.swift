package import Application
package import Core
internal import Creatives
internal import Exploration
package import RenderModel

/// The waiting and running renders, and the owners of the pool's jobs.
package struct ActiveRenders: Sendable {
  /// Consequence of the end of a job.
  enum Progress: Sendable {
    /// Further jobs of the same render are to be submitted.
    case further([RenderJob])
    case done(FinishedRender<RenderWork>)
    /// A job of a batch is done.
    case batchJobDone(id: String)
  }

  private var works: [String: RenderWork] = [:]
  /// Numbers of batch jobs in the pool, by their ids.
  private var batchJobs: [String: Int] = [:]
  private var owners: [Int: String] = [:]
  private var latestJob = 0

  package var count: Int { works.count }
  package var isEmpty: Bool { works.isEmpty }
  package var ids: [String] { Array(works.keys) }
  /// Renders that no worker has begun yet.
  package var waiting: [RenderWork] { works.values.filter { !$0.hasStarted } }

  package subscript(_ id: String) -> RenderWork? { works[id] }

  /// The id of the render that a pool job belongs to; nil if it was cancelled or is unknown.
  package func owner(of job: Int) -> String? { owners[job] }

  package mutating func add(_ work: RenderWork) { works[work.id] = work }

  /// Removes a render or a batch job, and returns its jobs in the pool; later events of them are ignored.
  package mutating func take(_ id: String) -> (work: RenderWork?, jobs: Set<Int>) {
    let work = works.removeValue(forKey: id)
    var jobs = work?.poolJobs ?? []
    if let job = batchJobs.removeValue(forKey: id) { jobs.insert(job) }
    for job in jobs { owners[job] = nil }
    return (work, jobs)
  }

  /// Notes that a worker has begun the render.
  mutating func noteStart(of id: String) { works[id]?.hasStarted = true }

  /// The first jobs of a render, under numbers not used in the pool before; nil if there is no such render.
  package mutating func begin(_ id: String) -> [RenderJob]? {
    guard var work = works[id] else { return nil }
    latestJob += 1
    var job = work.job
    job.id = latestJob
    if let first = work.explore(work.hosts.first?.job ?? work.job, id: latestJob) { job = first }
    works[id] = work
    note([job], of: id)
    return [job]
  }

  /// A job of a batch, under a number not used in the pool before; it is all of its render.
  package mutating func begin(_ job: RenderJob, of id: String) -> RenderJob {
    latestJob += 1
    var job = job
    job.id = latestJob
    owners[job.id] = id
    batchJobs[id] = job.id
    return job
  }

  /// Handles the result of a job; nil if its render was removed.
  mutating func finish(_ job: Int, _ record: RenderRecord) -> Progress? {
    guard let id = owners.removeValue(forKey: job) else { return nil }
    if batchJobs[id] == job {
      batchJobs[id] = nil
      return .batchJobDone(id: id)
    }
    works[id]?.poolJobs.remove(job)
    guard var work = works[id] else { return nil }
    if var explorationJob = work.explorationJob {
      var next = latestJob + 1
      let further = explorationJob.handleResult(record, of: job, next: &next)
      latestJob = next - 1
      work.explorationJob = explorationJob
      works[id] = work
      guard explorationJob.isDone else {
        note(further, of: id)
        return .further(further)
      }
      if let further = work.exploreNextHost(id: latestJob + 1) {
        works[id] = work
        note([further], of: id)
        return .further([further])
      }
    }
    if let further = follow(&work, record) {
      works[id] = work
      note([further], of: id)
      return .further([further])
    }
    works[id] = nil
    return .done(FinishedRender(work: work, record: work.record ?? work.explorations.first?.record ?? record))
  }

  /// The further render without the creative's own scenario, which checks need for comparison; nil if none is needed or
  /// this was it.
  private mutating func follow(_ work: inout RenderWork, _ record: RenderRecord) -> RenderJob? {
    if let job = work.job.unsteered(id: 0, output: work.folder.unsteered), work.record != nil {
      work.unsteered = UnsteeredRender(job: job, record: record)
      return nil
    }
    guard work.request.checks, work.explorationJob == nil, record.outcome == .completed,
      let job = work.job.unsteered(id: latestJob + 1, output: work.folder.unsteered)
    else { return nil }
    work.record = record
    return job
  }

  private mutating func note(_ jobs: [RenderJob], of id: String) {
    for job in jobs {
      owners[job.id] = id
      works[id]?.poolJobs.insert(job.id)
      latestJob = max(latestJob, job.id)
    }
  }
}

/// One accepted render until its outcome.
package struct RenderWork: Sendable {
  package let id: String
  package let content: String
  package let created: Int64
  package let request: RenderRequest
  /// The render's job, from which the trials of an exploration are derived.
  package let job: RenderJob
  /// Numbers of its current jobs in the pool.
  fileprivate(set) var poolJobs: Set<Int> = []
  fileprivate(set) var explorationJob: ExplorationJob?
  /// Renders of a playable in the networks' hosts, one after the other; empty for other renders.
  package let hosts: [PlayableRender]
  /// Explorations that are done, in the order of the hosts.
  private var doneExplorations: [ExplorationJob] = []
  /// All explorations, the last one of which may be under way.
  package var explorations: [ExplorationJob] { doneExplorations + [explorationJob].compactMap(\.self) }
  /// Record of the main render, once one without the creative's own scenario follows; nil otherwise.
  fileprivate(set) var record: RenderRecord?
  fileprivate(set) var unsteered: UnsteeredRender?
  /// The folder of its files.
  package let folder: RenderFolder
  /// Indicates if a worker has begun it since this server started.
  fileprivate(set) var hasStarted = false
  /// True for further jobs of a render that has started already: trials of an exploration, or the render without a
  /// scenario.
  var isUnderWay: Bool { hasStarted && (explorationJob != nil || record != nil) }
  /// Time after which it isn't started any more, in milliseconds since 1970.
  package let deadline: Int64

  /// Reads a render from its parts; `text` is the request in the store's format.
  package init(
    id: String, content: String, created: Int64, request text: String, folder: RenderFolder, reach: NetworkPolicy
  ) throws(Fault) {
    guard let request = RenderRequest.read(text) else {
      throw .engine(.dataLost, "the request of render '\(id)' can't be read")
    }
    let path = folder.creativeFile.map { "\(folder.creative)/\($0)" }
    guard path != nil || request.url != nil else {
      throw .engine(.dataLost, "the creative of render '\(id)' is missing")
    }
    (self.id, self.content, self.created, self.request, self.folder) = (id, content, created, request, folder)
    deadline = created + Int64(Bounded.int(request.queueTimeout * 1000, in: 0...1_000_000_000_000))
    let own = request.scenario == nil ? try OwnScenario.of(request.reference(to: path)) : nil
    do throws(InvalidRequest) {
      let job = try request.job(path: path, own: own, output: folder.result(request.name), reach: reach)
      self.job = RecordingFiles.prepared(
        job, answeredFrom: request.recording == nil ? nil : folder.recording,
        now: Double(created / 1000))
    } catch {
      throw error.fault
    }
    hosts = try request.hosts(of: self.job)
  }

  /// Begins the exploration of a job, if the request asks for it, and returns its first trial.
  fileprivate mutating func explore(_ job: RenderJob, id: Int) -> RenderJob? {
    guard let exploring = request.explore else { return nil }
    var exploration = ExplorationJob(
      job: job, budget: .init(actions: exploring.actions, seconds: exploring.seconds))
    let first = exploration.start(id: id)
    explorationJob = exploration
    return first
  }

  /// Begins the exploration in the playable's next host, once that in the current one is done; nil if it was the last.
  fileprivate mutating func exploreNextHost(id: Int) -> RenderJob? {
    guard let done = explorationJob, explorations.count < hosts.count else { return nil }
    doneExplorations.append(done)
    return explore(hosts[doneExplorations.count].job, id: id)
  }
}
