internal import AdExperience
internal import Jobs
internal import MRAID
internal import WebKitRuntime

/// Something a page did, and what it leads to once it is told.
@WebKitActor struct PageEvent {
  let page: AdViewID
  let source: Event.Source
  let name: String
  let detail: JSONValue
  /// When it happened, in the log's milliseconds.
  let time: Double
  /// Bytes that it holds on to until it is told, at the most.
  var weight = 0
  /// What the host does about it.
  let consequence: (() -> Void)?
  /// False for what a page of Galley's own reports, of which only the consequences are told.
  var isLogged = true

  /// Whether it is an error that nobody caught. Each ends a task of its own, and which task runs first is a race.
  var isUncaught: Bool { source == .page && (name == "exception" || name == "rejection") && detail["listener"] == nil }
}

extension [PageEvent] {
  /// By their place in the source, then by what they say; rejections have no place and stand first.
  @WebKitActor func inOrderOfPlaces() -> [PageEvent] {
    sorted { one, other in
      let (first, second) = (one.detail, other.detail)
      return (first["file"]?.string ?? "", first["line"]?.number ?? 0, first["column"]?.number ?? 0, first.text)
        < (second["file"]?.string ?? "", second["line"]?.number ?? 0, second["column"]?.number ?? 0, second.text)
    }
  }
}
