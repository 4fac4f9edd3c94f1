internal import Jobs

extension Check {
  static let serviceWorker = Check(
    "service-worker", family: .security, severity: .warning, title: "Registers a service worker",
    why: "It would outlive the ad on the publisher's site; apps' web views have none.",
    remedy: "Do without: an ad has nothing to keep.", source: .googleMisconduct
  ) { evidence in
    guard !evidence.sources.isEmpty else { return nil }
    let passages = evidence.passages(/serviceWorker\s*\.\s*register/, hint: "serviceWorker")
    return evidence.remarks(at: passages, subject: { _ in "register" }) { _ in "the code registers a service worker" }
  }

  static let remoteCode = Check(
    "remote-code", family: .security, severity: .warning, title: "Runs text it was sent",
    why: "Code that is fetched and evaluated is seen by nobody who reviewed the ad.",
    remedy: "Put the code into the creative; read data with JSON.parse().", source: .googleMisconduct
  ) { evidence in
    guard !evidence.sources.isEmpty else { return nil }
    let passages = evidence.passages(
      /\b(?:eval|new\s+Function)\s*\([^)"'`]{0,80}(?:responseText|response|\.data|atob|decodeURIComponent|unescape)/,
      hint: "eval", "Function")
    return evidence.remarks(at: passages, subject: { "\($0.place.file):\($0.text.prefix(40))" }) {
      "the code evaluates what it was sent: \($0.text.prefix(60))"
    }
  }

  static let miner = Check(
    "miner", family: .security, severity: .error, title: "Signs of a miner",
    why: "Mining on a person's device is theft, and networks ban it.",
    remedy: "Take the miner out; ask who put it in.", source: .googleMisconduct
  ) { evidence in
    guard !evidence.sources.isEmpty || !evidence.resources.isEmpty else { return nil }
    let words = ["coinhive", "cryptonight", "stratum+tcp", "coin-hive", "cryptoloot", "webminepool"]
    let inCode = evidence.sources.flatMap { source -> [Remark] in
      let text = source.text.lowercased()
      // In capitals it is a coordinate: RandomXY, randomX.
      let found = words.filter(text.contains) + (source.text.contains("randomx") ? ["randomx"] : [])
      return found.map {
        Remark("\(source.path) names \($0)", subject: $0, place: Finding.Place(file: source.path))
      }
    }
    let hosts = evidence.resources.map(\.host).filter { host in words.contains { host.contains($0) } }
    return inCode + Set(hosts).sorted().map { Remark("a request to \($0)", subject: $0) }
  }
}
