internal import Bundles
internal import Core
internal import Jobs
internal import Planning
internal import ServiceStore

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
