internal import Core
package import Parties
internal import RenderModel

extension CheckContext {
  /// Whom the ad asked over the network, web sockets included.
  package var parties: [RequestParty] {
    RequestParty.all(
      of: networkResources.map { resource in
        RequestParty.Asked(
          host: resource.host, bytes: resource.bytes,
          setsCookie: resource.responseHeaders.contains { $0.name.lowercased() == "set-cookie" })
      } + sockets.map { RequestParty.Asked(host: $0.addressHost) })
  }

  /// Hosts of all that it asked for, once for each request.
  package var networkHosts: [String] { networkResources.map(\.host) }

  private var networkResources: [MeasuredResource] {
    resources.filter { $0.origin == .network && !$0.url.hasPrefix("data:") && !$0.host.isEmpty }
  }

  /// What the ad keeps on the device, each once: `cookie id`.
  package var stored: [String] {
    var known: Set<String> = []
    return events(.page, "storage").map { "\($0.text("kind")) \($0.text("key"))" }.filter { known.insert($0).inserted }
  }

  /// By which interface the ad asked what the person says to being tracked, once for each call: `tcf`, `gpp`, `usp`.
  package var consentRequests: [String] {
    events(.page, "consent").compactMap { $0.event.detail["api"]?.string }
  }
}
