import Logging
import ServiceStore

@testable import Service

extension WebService {
  /// One that renders nothing, over a folder of its own and with settings that `change` makes others of.
  static func sample(
    _ scratch: Scratch? = nil, _ change: (inout ServiceSettings) -> Void = { _ in },
    ready: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> WebService {
    let scratch = try scratch ?? Scratch()
    var settings = ServiceSettings(
      host: "127.0.0.1", port: 0, data: scratch.path, jobs: 1, worker: "/worker", executable: "/galley")
    change(&settings)
    let (data, store) = (try DataFolder(scratch.path), try Store(folder: scratch.path))
    let (gauges, bulletin) = (ServiceGauges(), Bulletin())
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let gatekeeper = try Gatekeeper(settings.tokens.map { TokenFile($0) })
    let desk = RenderDesk(
      settings: settings, store: store, data: data, bulletin: bulletin, gauges: gauges, log: log, hookIsDue: {})
    let renders = RenderAPI(
      desk: desk, store: store, data: data, bulletin: bulletin, gatekeeper: gatekeeper, bounds: settings.bounds,
      allowsPrivate: false)
    let baselines = BaselineAPI(store: store, data: data, bounds: settings.bounds, approver: Approver(data))
    let diffs = DiffAPI(renders: renders, baselines: baselines, shelf: DiffShelf(data))
    let sessions = Sessions(gatekeeper: gatekeeper, store: store)
    let connections = ConnectionDesk(settings.bounds.connections, front: settings.front, gauges: gauges)
    return WebService(
      settings: settings, sessions: sessions, connections: connections, gauges: gauges, renders: renders,
      operations: OperationsAPI(desk: desk, store: store, gauges: gauges), diffs: diffs,
      pages: PageAPI(
        library: try PageLibrary(), renders: renders, diffs: diffs, sessions: sessions, front: settings.front),
      log: log, ready: ready)
  }
}
