package import ArgumentParser

/// Where a queue on NATS is that machines share, and who calls.
package struct QueueOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The queue that machines share: servers of NATS like nats://host:4222 or tls://host:4222, in a list with commas.",
      valueName: "address"))
  package var queue: String?

  @Option(help: ArgumentHelp("Tells queues apart that share an account.", valueName: "name"))
  package var queueName = "galley"

  @Option(help: ArgumentHelp("A credentials file, as NATS has them.", valueName: "file"))
  package var queueCredentials: String?

  @Option(help: ArgumentHelp("A public NKey; goes with --queue-seed.", valueName: "key"))
  package var queueNkey: String?

  @Option(help: ArgumentHelp("The file with the seed of the NKey.", valueName: "file"))
  package var queueSeed: String?

  @Option(help: ArgumentHelp("Authorities that may have signed the certificates of NATS.", valueName: "file"))
  package var queueCa: String?

  @Option(help: ArgumentHelp("The certificate to show to NATS; goes with --queue-key.", valueName: "file"))
  package var queueCertificate: String?

  @Option(help: ArgumentHelp("The key of that certificate.", valueName: "file"))
  package var queueKey: String?

  package init() {}

  package func validate() throws {
    if let queue {
      if Int(queue) != nil {
        throw ValidationError(
          "--queue takes the address of a queue like nats://host:4222; how many renders may wait is --max-waiting")
      }
      let addresses = queue.split(separator: ",", omittingEmptySubsequences: false)
      guard (1...32).contains(addresses.count), addresses.allSatisfy({ $0.utf8.count <= 1000 && Self.isAddress($0) })
      else { throw ValidationError("--queue must be up to 32 addresses like nats://host:4222, not '\(queue)'") }
    }
    guard (1...40).contains(queueName.utf8.count), queueName.utf8.allSatisfy(Self.isPlain) else {
      throw ValidationError("--queue-name must be 1 to 40 letters, digits and hyphens, not '\(queueName)'")
    }
    guard (queueNkey == nil) == (queueSeed == nil) else {
      throw ValidationError("--queue-nkey and --queue-seed go together")
    }
    guard queueNkey == nil || queueCredentials == nil else {
      throw ValidationError("--queue-credentials and --queue-nkey exclude each other")
    }
    guard (queueCertificate == nil) == (queueKey == nil) else {
      throw ValidationError("--queue-certificate and --queue-key go together")
    }
    let others = [queueCredentials, queueNkey, queueCa, queueCertificate].compactMap(\.self)
    guard queue != nil || others.isEmpty else { throw ValidationError("options of a queue go with --queue") }
  }

  private static func isAddress(_ text: Substring) -> Bool { text.hasPrefix("nats://") || text.hasPrefix("tls://") }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte == 45 || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// The words by which another program is called with the same.
  package var words: [String] {
    let options = [
      ("--queue", queue), ("--queue-name", queueName), ("--queue-credentials", queueCredentials),
      ("--queue-nkey", queueNkey), ("--queue-seed", queueSeed), ("--queue-ca", queueCa),
      ("--queue-certificate", queueCertificate), ("--queue-key", queueKey),
    ]
    return options.flatMap { name, value in value.map { ["\(name)=\($0)"] } ?? [] }
  }
}
