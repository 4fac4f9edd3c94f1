internal import Jobs
internal import MRAID
internal import WebKitRuntime

/// Logs resources in the order the page asked for them, whatever order they arrive in, so that logs can be compared.
@WebKitActor final class NetworkLog {
  private let recorder: Recorder
  private let addresses: PageAddresses
  private var waiting: [Int: ResourceLoad] = [:]
  private var next = 0

  init(recorder: Recorder, addresses: PageAddresses) {
    self.recorder = recorder
    self.addresses = addresses
  }

  func add(_ load: ResourceLoad) {
    waiting[load.index] = load
    while let load = waiting.removeValue(forKey: next) {
      log(load)
      next += 1
    }
  }

  /// Logs what was left waiting behind a resource that never ended.
  func flush() {
    for (_, load) in waiting.sorted(by: { $0.key < $1.key }) { log(load) }
    waiting = [:]
  }

  private func log(_ load: ResourceLoad) {
    var detail: [String: JSONValue] = [
      "url": .string(addresses.display(load.url)),
      "status": .number(Double(load.status)),
      "type": .string(load.mimeType),
      "bytes": .number(Double(load.bytes)),
      "timing": ["start": .number(milliseconds(load.start)), "end": .number(milliseconds(load.end))],
    ]
    if let failure = load.failure { detail["failure"] = .string(failure) }
    if !load.redirects.isEmpty { detail["redirects"] = .array(load.redirects.map { .string(addresses.display($0)) }) }
    recorder.record(.network, "resource", .object(detail))
  }

  private func milliseconds(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10 }
}
