package import Jobs
package import MRAID

extension Evidence {
  /// An event, and on which way it was met.
  package struct Met: Sendable {
    package let event: Event
    /// What was done: nil for the render itself.
    package let action: String?

    /// The event's number in the render's own log; nil for what only exploring met.
    package var seq: Int? { action == nil ? event.seq : nil }
    /// `, after tap #expand`
    package var way: String { action.map { ", after \($0)" } ?? "" }

    /// A member of the detail as people write it.
    package func text(_ member: String) -> String { event.detail[member]?.plain ?? "–" }
  }

  /// Events of a source and of any of the names, on every way.
  package func events(_ source: Event.Source, _ names: String...) -> [Met] { events(source, names) }

  /// The same for a list of names.
  package func events(_ source: Event.Source, _ names: [String]) -> [Met] {
    journeys.flatMap { journey in
      journey.events.filter { $0.source == source && names.contains($0.name) }.map {
        Met(event: $0, action: journey.action)
      }
    }
  }

  /// Every way that led out of the ad, or would have, and where to.
  package var waysOut: [(met: Met, address: String)] {
    events(.creative, "open").compactMap { met in met.event.detail["arguments"]?[0]?.string.map { (met, $0) } }
      + (events(.host, "open") + events(.page, "popup", "navigation").filter(\.leads)).compactMap { met in
        met.event.detail["url"]?.string.map { (met, $0) }
      }
  }

  /// Addresses that pages asked for on the ways that exploring tried, where nothing is measured.
  package var requestsWhileExploring: [String] {
    events(.network, "resource").filter { $0.action != nil }.compactMap { $0.event.detail["url"]?.string }
  }

  /// A remark for each of what was met, and none for what only says the same again.
  package func remarks(
    on met: [Met], subject: (Met) -> String, message: (Met) -> String
  ) -> [Remark] {
    var known: Set<String> = []
    return met.compactMap { met in
      let name = subject(met)
      guard known.insert(name).inserted else { return nil }
      return Remark(message(met) + met.way, subject: name, event: met.seq, screenshot: picture(of: met))
    }
  }

  /// The picture that shows the moment: the next one taken, or else the last.
  package func picture(of met: Met) -> String? {
    guard let seq = met.seq else { return nil }
    let taken = events.filter { $0.source == .host && $0.name == "screenshot" }
    return (taken.first { $0.seq > seq } ?? taken.last)?.detail["name"]?.string
  }

  /// Whether somebody touched the ad: only then can be said what touching leads to.
  package var wasTouched: Bool { exploration != nil || !events(.input, "tap", "swipe").isEmpty }

  /// Whether the creative uses MRAID at all, rather than being a plain HTML ad.
  package var usesMRAID: Bool {
    events.contains { $0.source == .creative } || journeys.contains { $0.events.contains { $0.source == .creative } }
  }
}

extension Evidence.Met {
  /// Whether a window or navigation was to lead out of the ad.
  fileprivate var leads: Bool { event.name == "popup" || event.detail["allowed"]?.bool == false }
}

extension JSONValue {
  /// Text as it is, everything else as JSON.
  package var plain: String { string ?? text }
}
