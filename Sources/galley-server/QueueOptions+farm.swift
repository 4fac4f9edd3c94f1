internal import Core
internal import FoundationEssentials
internal import JetStream
internal import Queue
internal import Terminal

extension QueueOptions {
  /// How the queue is reached; nil without one.
  func farm(replicas: Int = 1) throws(Fault) -> FarmSettings? {
    guard let queue else { return nil }
    var nats = try NatsSettings(queue)
    if let queueCredentials { nats.identity = .credentials(file: queueCredentials) }
    if let queueNkey, let queueSeed { nats.identity = .nkey(queueNkey, seedFile: queueSeed) }
    if queueCa != nil || queueCertificate != nil {
      var certificate: (chain: String, key: String)?
      if let queueCertificate, let queueKey { certificate = (queueCertificate, queueKey) }
      nats.tls = NatsSettings.TLS(authorities: queueCa, certificate: certificate)
    }
    nats.name = "galley \(Galley.version)"
    var farm = FarmSettings(nats, holder: Self.machine)
    farm.name = queueName
    farm.queue.replicas = replicas
    return farm
  }

  /// What this process is called among those of a queue: the machine's name, and what no other has.
  static var machine: String {
    let host = ProcessInfo.processInfo.hostName.lowercased().prefix(30)
    let plain = host.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return "\(String(plain))-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
  }
}

/// An address without its path.
func origin(of address: String) -> String {
  address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
}
