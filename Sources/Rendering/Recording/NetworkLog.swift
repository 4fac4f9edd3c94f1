internal import AdManager
internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Keeps a page's resources until the log comes to a fixed point, and logs them by the instants at which the page asked.
///
/// They arrive in any order and between any other events, and what a page finds in one go it asks for in an order that its
/// processes race for; logged as they come, no two logs would be alike. The points are the end of the load, each picture,
/// each step of a scenario and the end of the render.
@WebKitActor final class NetworkLog {
  private let recorder: Recorder
  private let addresses: PageAddresses
  private let gateway: EgressGateway?
  private var waiting: [Int: ResourceLoad] = [:]
  /// Web sockets in the order they were asked for, and when; those that aren't refused yet may still be.
  private var sockets: [(url: String, time: Double)] = []
  /// Resources that have ended, logged or not.
  private(set) var ended = 0

  /// Which of a feed's ads asks; nil for the only one.
  private let ad: AdViewID?

  init(recorder: Recorder, addresses: PageAddresses, gateway: EgressGateway? = nil, ad: AdViewID? = nil) {
    self.gateway = gateway
    self.ad = ad
    self.recorder = recorder
    self.addresses = addresses
  }

  /// Keeps a resource that has ended; one that isn't shown only counts.
  func add(_ load: ResourceLoad, isShown: Bool = true) {
    // The log holds no more of them either.
    if isShown, waiting.count < Recorder.capacity { waiting[load.index] = load }
    ended += 1
    recorder.wakeWaiters()
  }

  /// Keeps a web socket that a page opens, to be told if it is kept from its server; the rest is between the two.
  func addSocket(to url: String) {
    if gateway != nil, sockets.count < Recorder.capacity {
      sockets.append((url.cut(to: ResourceLoad.longestURL), recorder.now))
    }
  }

  /// Logs what has ended since the last point, and last the sockets that were refused.
  func flush() {
    var last: ResourceLoad?
    for load in waiting.values.map({ (place: place(of: $0), load: $0) }).sorted(by: { $0.place < $1.place }).map(\.load) {
      defer { last = load }
      if let last, isAgain(load, last) { continue }
      log(load)
    }
    waiting = [:]
    sockets.removeAll { socket in
      guard let refusal = gateway?.refusal(of: socket.url) else { return false }
      logSocket(socket.url, refusal, socket.time)
      return true
    }
  }

  /// Where it stands among those of one point: the document, then the others by when they were asked for, those of one
  /// instant by what they are.
  private func place(of load: ResourceLoad) -> (Int, Double, String, Int, Int) {
    // Another process begins to ask for a service worker's script, and it may come before or after what pages ask for.
    let rank = load.index == 0 ? 0 : load.isServiceWorker ? 2 : 1
    let url = addresses.isOwn(load.url) ? addresses.display(load.url) : load.url
    return (rank, load.asked, url, load.bytes, load.index)
  }

  /// Whether it is the same picture of the creative's, asked for at the same instant.
  ///
  /// One that is also a mask is asked for once more, unless the first has come by then.
  private func isAgain(_ load: ResourceLoad, _ last: ResourceLoad) -> Bool {
    load.mimeType.hasPrefix("image/") && addresses.isOwn(load.url)
      && (load.url, load.asked, load.status, load.bytes) == (last.url, last.asked, last.status, last.bytes)
  }

  private func logSocket(_ url: String, _ refusal: String, _ time: Double) {
    var detail: [String: JSONValue] = [
      "url": .string(addresses.display(url)), "status": 0, "type": "", "bytes": -1, "refused": .string(refusal),
      "failure": "the web socket was kept from its server",
      "timing": ["start": .number(time), "end": .number(recorder.now)],
    ]
    if let ad { detail["ad"] = .string(ad.rawValue) }
    recorder.record(.network, "resource", .object(detail))
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
    if isMissing, let refusal = gateway?.refusal(of: load.url) { detail["refused"] = .string(refusal) }
    if let ad { detail["ad"] = .string(ad.rawValue) }
    if let failure = load.failure { detail["failure"] = .string(failure) }
    if !load.redirects.isEmpty { detail["redirects"] = .array(load.redirects.map { .string(addresses.display($0)) }) }
    recorder.record(.network, "resource", .object(detail))
  }

  private func milliseconds(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10 }
}
