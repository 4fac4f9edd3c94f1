internal import Application
internal import Core
internal import Creatives
internal import Exploration
internal import Logging
internal import RenderModel
internal import Workers

/// Where renders are accepted, lined up, handed to workers and brought to an end.
actor RenderDesk {
  let settings: ServiceSettings
  let store: Store
  let data: DataFolder
  let blobs: BlobStore
  let bulletin: Bulletin
  let gauges: ServiceGauges
  let log: Logger
  let pool: WorkerPool
  let run: RunIdentifier
  /// Called when something has to be told to an address.
  let hookIsDue: @Sendable () -> Void

  var queue: RenderQueue
  var rejections = Rejections()
  /// Renders that were let through.
  var works: [String: RenderWork] = [:]
  /// Whose a job of the pool is.
  var owners: [Int: String] = [:]
  /// Requests that are being received or accepted, by whose they are.
  var arriving: [String: Int] = [:]
  var latestJob = 0
  /// Creatives that cost workers and didn't complete since.
  var suspects: Set<String> = []
  /// How renders ended that couldn't be written down yet, by their ids.
  var outcomes = OutcomeShelf()
  /// Seconds a render took of late.
  var pace: Double?
  var poolRun: Task<Void, Never>?
  let conclusions: AsyncStream<Conclusion>
  let conclude: AsyncStream<Conclusion>.Continuation

  init(
    settings: ServiceSettings, store: Store, data: DataFolder, bulletin: Bulletin, gauges: ServiceGauges, log: Logger,
    hookIsDue: @escaping @Sendable () -> Void
  ) {
    (self.settings, self.store, self.data, self.bulletin) = (settings, store, data, bulletin)
    (self.gauges, self.log, self.hookIsDue) = (gauges, log, hookIsDue)
    blobs = BlobStore(data.blobs)
    run = RunIdentifier()
    // Twice as many as there are workers, so that each has its next one at hand.
    queue = RenderQueue(capacity: settings.bounds.waiting, width: settings.jobs * 2)
    pool = WorkerPool(
      PoolSettings(
        executable: settings.worker, capacity: settings.jobs, run: run, recycleAbove: 1024, warm: settings.jobs,
        environment: settings.proxy.map { ["GALLEY_PROXY": $0] } ?? [:]))
    (conclusions, conclude) = AsyncStream.makeStream()
  }

  /// Hands what may be under way to the workers.
  func feed() async {
    for ticket in queue.admit() {
      guard var work = works[ticket.id] else {
        queue.remove(ticket.id)
        continue
      }
      let jobs: [RenderJob]
      if let exploring = work.request.explore {
        var expedition = Expedition(
          job: work.job, budget: .init(actions: exploring.actions, seconds: exploring.seconds))
        jobs = [expedition.start(id: nextJob())]
        work.expedition = expedition
      } else {
        var job = work.job
        job.id = nextJob()
        jobs = [job]
      }
      works[ticket.id] = work
      await hand(jobs, to: ticket.id)
    }
  }

  /// Gives jobs of a render to the pool.
  func hand(_ jobs: [RenderJob], to id: String) async {
    for job in jobs {
      owners[job.id] = id
      works[id]?.poolJobs.insert(job.id)
      latestJob = max(latestJob, job.id)
      try? ResultFolder(job.output).clear()
    }
    await pool.submit(jobs)
  }

  /// A number that no job of the pool had before.
  func nextJob() -> Int {
    latestJob += 1
    return latestJob
  }

  /// Takes a render off the desk and off the workers' hands.
  @discardableResult func release(_ id: String) async -> RenderWork? {
    queue.remove(id)
    let work = works.removeValue(forKey: id)
    for job in work?.poolJobs ?? [] {
      owners[job] = nil
      await pool.cancel(job)
    }
    return work
  }
}

/// One accepted render on its way to an outcome.
struct RenderWork: Sendable {
  let id: String
  let content: String
  let created: Int64
  let request: RenderRequest
  /// What is rendered; trials are made from it when exploring.
  let job: RenderJob
  /// The pool's numbers of what is under way for it.
  var poolJobs: Set<Int> = []
  var expedition: Expedition?
  /// Whether a worker took it up since this server runs.
  var hasStarted = false
  /// After which instant it isn't started any more.
  let deadline: Int64

  /// Reads what was written down when it was accepted.
  init(_ row: RenderRow, folder: RenderFolder, reach: NetworkReach) throws(Fault) {
    guard let request = RenderRequest.read(row.request) else {
      throw .engine("data-lost", "the request of \(row.id) can't be read any more")
    }
    let path = CreativeIntake.file(in: folder).map { "\(folder.creative)/\($0)" }
    guard path != nil || request.url != nil else {
      throw .engine("data-lost", "the creative of \(row.id) isn't there any more")
    }
    (id, content, created, self.request) = (row.id, row.content, row.created, request)
    deadline = row.created + Int64(Bounded.int(request.patience * 1000, in: 0...1_000_000_000_000))
    let reference = CreativeReference(argument: request.name, path: path, name: request.name)
    let own = request.scenario == nil ? try OwnScenario.of(reference) : nil
    do throws(Problem) {
      job = try request.job(path: path, own: own, output: folder.result(request.name), reach: reach)
    } catch {
      throw error.fault
    }
  }
}

/// A render that workers are done with, and its record.
struct Conclusion: Sendable {
  let work: RenderWork
  let record: RenderRecord
}
