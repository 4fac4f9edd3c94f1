internal import Application
internal import Core
internal import Creatives
internal import Exploration
internal import RenderModel

/// The renders that wait or are under way, and whose each job of the pool is.
struct Workload: Sendable {
  /// What comes of the end of a job.
  enum Progress: Sendable {
    /// Exploring goes on with these.
    case further([RenderJob])
    case done(FinishedRender)
  }

  private var works: [String: RenderWork] = [:]
  private var owners: [Int: String] = [:]
  private var latestJob = 0

  var count: Int { works.count }
  var isEmpty: Bool { works.isEmpty }
  var ids: [String] { Array(works.keys) }
  /// Those that no worker took up yet.
  var waiting: [RenderWork] { works.values.filter { !$0.hasStarted } }

  subscript(_ id: String) -> RenderWork? { works[id] }

  /// Whose a job of the pool is.
  func owner(of job: Int) -> String? { owners[job] }

  mutating func add(_ work: RenderWork) { works[work.id] = work }

  /// Takes a render out; its jobs are its own until they are disowned.
  mutating func remove(_ id: String) -> RenderWork? { works.removeValue(forKey: id) }

  /// From now on nobody's.
  mutating func disown(_ job: Int) { owners[job] = nil }

  /// A worker took the render up.
  mutating func noteStart(of id: String) { works[id]?.hasStarted = true }

  /// The first jobs of a render, under numbers that no job of the pool had before; nil for one that isn't there.
  mutating func begin(_ id: String) -> [RenderJob]? {
    guard var work = works[id] else { return nil }
    latestJob += 1
    var job = work.job
    job.id = latestJob
    if let exploring = work.request.explore {
      var explorationJob = ExplorationJob(
        job: work.job, budget: .init(actions: exploring.actions, seconds: exploring.seconds))
      job = explorationJob.start(id: latestJob)
      work.explorationJob = explorationJob
    }
    works[id] = work
    note([job], of: id)
    return [job]
  }

  /// Takes in what came of a job; nil when it is nobody's any more.
  mutating func finish(_ job: Int, _ record: RenderRecord) -> Progress? {
    guard let id = owners.removeValue(forKey: job) else { return nil }
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
    }
    works[id] = nil
    return .done(FinishedRender(work: work, record: work.explorationJob?.record ?? record))
  }

  private mutating func note(_ jobs: [RenderJob], of id: String) {
    for job in jobs {
      owners[job.id] = id
      works[id]?.poolJobs.insert(job.id)
      latestJob = max(latestJob, job.id)
    }
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
  fileprivate(set) var poolJobs: Set<Int> = []
  fileprivate(set) var explorationJob: ExplorationJob?
  /// Whether a worker took it up since this server runs.
  fileprivate(set) var hasStarted = false
  /// After which instant it isn't started any more.
  let deadline: Int64

  /// Reads what was written down when it was accepted.
  init(_ row: RenderRow, folder: RenderFolder, reach: NetworkPolicy) throws(Fault) {
    try self.init(
      id: row.id, content: row.content, created: row.created, request: row.request, folder: folder, reach: reach)
  }

  /// The same of what is known of it elsewhere; `text` is the request as the store keeps it.
  init(
    id: String, content: String, created: Int64, request text: String, folder: RenderFolder, reach: NetworkPolicy
  ) throws(Fault) {
    guard let request = RenderRequest.read(text) else {
      throw .engine("data-lost", "the request of \(id) can't be read any more")
    }
    let path = CreativeUploader.file(in: folder).map { "\(folder.creative)/\($0)" }
    guard path != nil || request.url != nil else {
      throw .engine("data-lost", "the creative of \(id) isn't there any more")
    }
    (self.id, self.content, self.created, self.request) = (id, content, created, request)
    deadline = created + Int64(Bounded.int(request.queueTimeout * 1000, in: 0...1_000_000_000_000))
    let reference = CreativeReference(argument: request.name, path: path, name: request.name)
    let own = request.scenario == nil ? try OwnScenario.of(reference) : nil
    do throws(Problem) {
      let job = try request.job(path: path, own: own, output: folder.result(request.name), reach: reach)
      self.job = RecordingFiles.prepared(
        job, answeredFrom: request.recording == nil ? nil : folder.recording,
        now: Double(created / 1000))
    } catch {
      throw error.fault
    }
  }
}
