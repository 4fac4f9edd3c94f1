internal import Jobs
internal import MRAID

/// An event without what differs from run to run: its number, its time and what was measured.
struct EventKey: Hashable {
  let source: Event.Source
  let name: String
  let detail: JSONValue

  init(_ event: Event) {
    source = event.source
    name = event.name
    if case .object(var members) = event.detail {
      members["timing"] = nil
      detail = .object(members)
    } else {
      detail = event.detail
    }
  }
}
