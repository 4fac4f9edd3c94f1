import Logging
import ServiceStore

@testable import Service

extension WebService {
  /// One that knows its routes but never runs.
  static func sample() throws -> WebService {
    let scratch = try Scratch()
    let settings = ServiceSettings(
      host: "127.0.0.1", port: 0, data: scratch.path, jobs: 1, worker: "/worker", executable: "/galley")
    let (data, store) = (try DataFolder(scratch.path), try Store(folder: scratch.path))
    let (gauges, bulletin) = (ServiceGauges(), Bulletin())
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let gatekeeper = try Gatekeeper(nil)
    let desk = RenderDesk(
      settings: settings, store: store, data: data, bulletin: bulletin, gauges: gauges, log: log, hookIsDue: {})
    let renders = RenderAPI(
      desk: desk, store: store, data: data, bulletin: bulletin, gatekeeper: gatekeeper, bounds: settings.bounds,
      allowsPrivate: false)
    let baselines = BaselineAPI(store: store, data: data, bounds: settings.bounds, approver: Approver(data))
    let diffs = DiffAPI(renders: renders, baselines: baselines, shelf: DiffShelf(data))
    return WebService(
      settings: settings, gatekeeper: gatekeeper, gauges: gauges, renders: renders,
      operations: OperationsAPI(desk: desk, store: store, gauges: gauges), diffs: diffs,
      pages: PageAPI(library: try PageLibrary(), renders: renders, diffs: diffs, gatekeeper: gatekeeper), log: log,
      ready: { _ in })
  }
}
