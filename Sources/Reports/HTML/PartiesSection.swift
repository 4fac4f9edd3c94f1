internal import Core
internal import Parties
internal import RenderModel

/// Section on the parties that an ad sent requests to, with trackers named, and on the data it stores on the device.
struct PartiesSection {
  private static let most = 100

  let requests: [NetworkRequest]
  let events: [Event]
  let name: String

  var node: Node {
    let parties = RequestParty.all(of: asked)
    let kept = stored
    if parties.isEmpty, kept.isEmpty { return .empty }
    return element("section", ["class": "parties", "aria-label": "Third parties of \(name)"]) {
      element("h3") { "Third parties: \(parties.count)" }
      if !parties.isEmpty { table(parties) }
      if parties.count > Self.most { element("p", ["class": "empty"]) { "\(parties.count - Self.most) more." } }
      if !kept.isEmpty { element("p", ["class": "facts"]) { "Stored on the device: \(kept.joined(separator: ", "))" } }
      if parties.contains(where: \.isTracker) {
        element("p", ["class": "facts"]) { "Source of the trackers: \(TrackerList.source), \(TrackerList.date)." }
      }
    }
  }

  private func table(_ parties: [RequestParty]) -> Node {
    element("div", ["class": "scrolls", "tabindex": "0", "role": "group", "aria-label": "Third parties"]) {
      element("table") {
        element("thead") {
          element("tr") {
            for word in ["Domain", "Company", "Hosts"] { ColumnHead.text(word).node }
            for word in ["Requests", "Size", "Cookies set"] { ColumnHead.numbers(word).node }
          }
        }
        element("tbody") { for party in parties.prefix(Self.most) { row(party) } }
      }
    }
  }

  private func row(_ party: RequestParty) -> Node {
    element("tr") {
      element("td") { ReportText.line(party.domain) }
      element("td") { party.who ?? "" }
      element("td", ["class": "address"]) {
        ReportText.cut(ReportText.line(party.hosts.joined(separator: ", ")), to: 160)
      }
      element("td", ["class": "number"]) { "\(party.requests)" }
      element("td", ["class": "number"]) { Quantity(Double(party.bytes), unit: "B").text }
      element("td", ["class": "number"]) { "\(party.cookies)" }
    }
  }

  private var asked: [RequestParty.Asked] {
    let loaded = requests.filter { $0.origin == .network || $0.origin == nil }.compactMap { request in
      request.url.hostOfNetwork.map { host in
        RequestParty.Asked(
          host: host, bytes: max(0, request.bytes),
          setsCookie: request.responseHeaders.contains { $0.name.lowercased() == "set-cookie" })
      }
    }
    let sockets = events.filter { $0.source == .page && $0.isNamed(.socket) }
      .compactMap { $0.detail["url"]?.string?.hostOfNetwork }
    return loaded + sockets.map { RequestParty.Asked(host: $0) }
  }

  /// Stored data, such as `cookie id`, each once.
  private var stored: [String] {
    var known: Set<String> = []
    return events.filter { $0.source == .page && $0.isNamed(.storage) }.compactMap { event in
      let text = "\(event.detail["kind"]?.string ?? "") \(event.detail["key"]?.string ?? "")"
      return known.insert(text).inserted ? ReportText.line(text) : nil
    }
  }
}

extension String {
  /// Host of a URL with a network scheme; nil for any other.
  fileprivate var hostOfNetwork: String? {
    guard ["http://", "https://", "ws://", "wss://"].contains(where: hasPrefix), let start = firstRange(of: "://")
    else { return nil }
    let authority = self[start.upperBound...].prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@").last ?? ""
    let bare = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
    return bare.isEmpty ? nil : String(bare)
  }
}
