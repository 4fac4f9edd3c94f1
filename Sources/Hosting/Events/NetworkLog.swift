internal import Core
package import Device
package import Engine
internal import RenderModel

/// Keeps a page's resources until the next fixed point of the log, and logs them by the times at which the page asked.
///
/// Resources end in any order and between any other events, and resources that a page finds together are requested in
/// an order that depends on a race of its processes; logged as they end, no two logs would be equal. The fixed points
/// are the end of the load, each screenshot, each step of a scenario and the end of the render.
@EngineActor package final class NetworkLog {
  private let recorder: Recorder
  private let addresses: PageAddresses
  /// Source of the reason why the host of an address wasn't contacted; nil where no host is refused.
  private let refusal: ((String) -> String?)?
  private var waiting: [Int: ResourceLoad] = [:]
  /// Web sockets in the order of their requests, with timestamps; those that aren't refused yet may still be.
  private var sockets: [(url: String, time: Double)] = []
  /// Number of resources that have ended, logged or not.
  package private(set) var ended = 0

  /// Ad of a feed that makes the requests; nil for the only ad.
  private let ad: AdViewID?

  /// - Parameter refusal: returns the reason why the host of an address wasn't contacted, nil if it was.
  package init(
    recorder: Recorder, addresses: PageAddresses, refusal: ((String) -> String?)? = nil, ad: AdViewID? = nil
  ) {
    self.refusal = refusal
    self.ad = ad
    self.recorder = recorder
    self.addresses = addresses
  }

  /// Keeps a resource that has ended; one with `isShown` false is only counted.
  package func add(_ load: ResourceLoad, isShown: Bool = true) {
    // The log holds no more of them either.
    if isShown, waiting.count < Recorder.capacity { waiting[load.index] = load }
    ended += 1
    recorder.wakeWaiters()
  }

  /// Keeps a web socket that a page opens, to log it if the gateway refuses it; its further traffic isn't logged.
  package func addSocket(to url: String) {
    if refusal != nil, sockets.count < Recorder.capacity {
      sockets.append((url.cut(to: ResourceLoad.longestURL), recorder.now))
    }
  }

  /// Logs the resources that have ended since the last fixed point, and finally the refused sockets.
  package func flush() {
    var last: ResourceLoad?
    for load in waiting.values.map({ (place: place(of: $0), load: $0) }).sorted(by: { $0.place < $1.place }).map(\.load)
    {
      defer { last = load }
      if let last, isAgain(load, last) { continue }
      log(load)
    }
    waiting = [:]
    sockets.removeAll { socket in
      guard let reason = refusal?(socket.url) else { return false }
      logSocket(socket.url, reason, socket.time)
      return true
    }
  }

  /// Sort key among the resources of one fixed point: first the document, then the others by the time of the request.
  ///
  /// Resources of the same time are sorted by address and size.
  private func place(of load: ResourceLoad) -> (Int, Double, String, Int, Int) {
    // Another process begins to ask for a service worker's script, and it may come before or after what pages ask for.
    let rank = load.index == 0 ? 0 : load.isServiceWorker ? 2 : 1
    let url = addresses.isOwn(load.url) ? addresses.display(load.url) : load.url
    return (rank, load.asked, url, load.bytes, load.index)
  }

  /// Indicates if it is the same image of the creative as `last`, asked for at the same time.
  ///
  /// An image that is also a mask is requested a second time, unless the first answer has arrived by then.
  private func isAgain(_ load: ResourceLoad, _ last: ResourceLoad) -> Bool {
    load.mimeType.hasPrefix("image/") && addresses.isOwn(load.url)
      && (load.url, load.asked, load.status, load.bytes) == (last.url, last.asked, last.status, last.bytes)
  }

  private func logSocket(_ url: String, _ reason: String, _ time: Double) {
    var detail: [String: JSONValue] = [
      "url": .string(addresses.display(url)), "status": 0, "type": "", "bytes": -1, "refused": .string(reason),
      "failure": "the WebSocket was blocked",
      "timing": ["start": .number(time), "end": .number(recorder.now)],
    ]
    if let ad { detail["ad"] = .string(ad.rawValue) }
    recorder.record(.network, .resource, .object(detail))
  }

  private func log(_ load: ResourceLoad) {
    // A page's own memory, not a request.
    if load.url.hasPrefix("blob:") { return }
    // A page of Galley's own, not the ad's.
    if load.url.hasPrefix("\(addresses.origin)\(PlayerPage.folder)") { return }
    var detail: [String: JSONValue] = [
      "url": .string(addresses.display(load.url)),
      "status": .number(Double(load.status)),
      "type": .string(load.mimeType),
      "bytes": .number(Double(load.bytes)),
      "timing": ["start": .number(milliseconds(load.start)), "end": .number(milliseconds(load.end))],
    ]
    let isMissing = load.failure != nil || load.status == 0 || load.status >= 400
    if isMissing, let reason = refusal?(load.url) { detail["refused"] = .string(reason) }
    if let ad { detail["ad"] = .string(ad.rawValue) }
    if let failure = load.failure { detail["failure"] = .string(failure) }
    if !load.redirects.isEmpty { detail["redirects"] = .array(load.redirects.map { .string(addresses.display($0)) }) }
    recorder.record(.network, .resource, .object(detail))
  }

  private func milliseconds(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10 }
}
