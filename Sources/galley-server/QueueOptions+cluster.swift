internal import Cluster
internal import Core
internal import FoundationEssentials
internal import Terminal

extension QueueOptions {
  /// Settings for the connection to the queue; nil without `--queue`.
  func cluster(replicas: Int = 1) throws(Fault) -> ClusterSettings? {
    guard let queue else { return nil }
    // NATS' own library opens them again whenever it connects anew, and would wait for a pipe.
    for path in [queueCredentials, queueSeed, queueCa, queueCertificate, queueKey].compactMap(\.self) {
      try Self.requireFile(path)
    }
    var nats = try NatsSettings(queue)
    if let queueCredentials { nats.identity = .credentials(file: queueCredentials) }
    if let queueNkey, let queueSeed { nats.identity = .nkey(queueNkey, seedFile: queueSeed) }
    if queueCa != nil || queueCertificate != nil {
      var certificate: (chain: String, key: String)?
      if let queueCertificate, let queueKey { certificate = (queueCertificate, queueKey) }
      nats.tls = NatsSettings.TLS(authorities: queueCa, certificate: certificate)
    }
    nats.name = "galley \(Galley.version)"
    var cluster = ClusterSettings(nats, holder: Self.machine)
    cluster.name = queueName
    cluster.queue.replicas = replicas
    return cluster
  }

  private static func requireFile(_ path: String) throws(Fault) {
    do throws(FileReadingError) {
      _ = try FileReading.regular(path, most: 16 << 20)
    } catch {
      throw .request("file-missing", "can't read \(path.printable): \(error)")
    }
  }

  /// Name of this process in the queue: the machine's name with a random suffix.
  static var machine: String {
    let host = ProcessInfo.processInfo.hostName.lowercased().prefix(30)
    let plain = host.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return "\(String(plain))-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
  }
}

/// Scheme, host and port of an address, without its path.
func origin(of address: String) -> String {
  address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
}
