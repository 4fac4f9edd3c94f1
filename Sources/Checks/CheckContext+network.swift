internal import Core
package import Parties
internal import RenderModel

extension CheckContext {
  /// Recipients of the ad's requests over the network, including web sockets.
  package var parties: [RequestParty] {
    RequestParty.all(
      of: networkResources.map { resource in
        RequestParty.Asked(
          host: resource.host, bytes: resource.bytes,
          setsCookie: resource.responseHeaders.contains { $0.name.lowercased() == "set-cookie" })
      } + sockets.map { RequestParty.Asked(host: $0.addressHost) })
  }

  /// Hosts of all requests, one entry per request.
  package var networkHosts: [String] { networkResources.map(\.host) }

  private var networkResources: [MeasuredResource] {
    requests.map(\.resource).filter { $0.origin == .network && !$0.url.hasPrefix("data:") && !$0.host.isEmpty }
  }

  /// Data that the ad stored on the device, each once, as `cookie id`.
  package var stored: [String] {
    var known: Set<String> = []
    return events(.page, .storage).map { "\($0.text("kind")) \($0.text("key"))" }.filter { known.insert($0).inserted }
  }

  /// Interfaces by which the ad asked for the user's consent to tracking, one entry per call: `tcf`, `gpp`, `usp`.
  package var consentRequests: [String] {
    events(.page, .consent).compactMap { $0.event.detail["api"]?.string }
  }
}
