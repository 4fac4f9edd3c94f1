package import ArgumentParser

/// Options for the address of a shared NATS queue, and for the credentials of the program.
package struct QueueOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The queue that machines share: NATS servers like nats://host:4222 or tls://host:4222, separated by commas.",
      valueName: "address"))
  package var queue: String?

  @Option(help: ArgumentHelp("Name of the queue; separates queues that share an account.", valueName: "name"))
  package var queueName = "galley"

  @Option(
    help: ArgumentHelp(
      "Name of this program's NATS user, whose permissions are for subjects with that name.", valueName: "name"))
  package var queueUser: String?

  @Option(help: ArgumentHelp("A credentials file of NATS.", valueName: "file"))
  package var queueCredentials: String?

  @Option(help: ArgumentHelp("A public NKey; requires --queue-seed.", valueName: "key"))
  package var queueNkey: String?

  @Option(help: ArgumentHelp("The file with the seed of the NKey.", valueName: "file"))
  package var queueSeed: String?

  @Option(help: ArgumentHelp("Certificate authorities (CA) for the certificates of NATS servers.", valueName: "file"))
  package var queueCa: String?

  @Option(help: ArgumentHelp("The client certificate for NATS; requires --queue-key.", valueName: "file"))
  package var queueCertificate: String?

  @Option(help: ArgumentHelp("The key of that certificate.", valueName: "file"))
  package var queueKey: String?

  package init() {}

  package func validate() throws {
    if let queue {
      if Int(queue) != nil {
        throw ValidationError(
          "--queue takes the address of a queue like nats://host:4222; --max-waiting limits waiting renders")
      }
      let addresses = queue.split(separator: ",", omittingEmptySubsequences: false)
      guard (1...32).contains(addresses.count), addresses.allSatisfy({ $0.utf8.count <= 1000 && Self.isAddress($0) })
      else { throw ValidationError("--queue must be up to 32 addresses like nats://host:4222, not '\(queue)'") }
    }
    guard (1...40).contains(queueName.utf8.count), queueName.utf8.allSatisfy(Self.isPlain) else {
      throw ValidationError("--queue-name must be 1 to 40 letters, digits and hyphens, not '\(queueName)'")
    }
    if let queueUser, !(1...40).contains(queueUser.utf8.count) || !queueUser.utf8.allSatisfy(Self.isPlain) {
      throw ValidationError("--queue-user must be 1 to 40 letters, digits and hyphens, not '\(queueUser)'")
    }
    guard (queueNkey == nil) == (queueSeed == nil) else {
      throw ValidationError("--queue-nkey and --queue-seed require each other")
    }
    guard queueNkey == nil || queueCredentials == nil else {
      throw ValidationError("--queue-credentials and --queue-nkey can't be combined")
    }
    guard (queueCertificate == nil) == (queueKey == nil) else {
      throw ValidationError("--queue-certificate and --queue-key require each other")
    }
    let others = [queueUser, queueCredentials, queueNkey, queueCa, queueCertificate].compactMap(\.self)
    guard queue != nil || others.isEmpty else { throw ValidationError("options of a queue require --queue") }
  }

  private static func isAddress(_ text: Substring) -> Bool { text.hasPrefix("nats://") || text.hasPrefix("tls://") }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte == 45 || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// Returns the NATS user of this program: the named one, or its role.
  package func user(_ role: String) -> String { queueUser ?? role }

  /// Arguments that pass the same options to another program.
  package var words: [String] {
    let options = [
      ("--queue", queue), ("--queue-name", queueName), ("--queue-user", queueUser),
      ("--queue-credentials", queueCredentials),
      ("--queue-nkey", queueNkey), ("--queue-seed", queueSeed), ("--queue-ca", queueCa),
      ("--queue-certificate", queueCertificate), ("--queue-key", queueKey),
    ]
    return options.flatMap { name, value in value.map { ["\(name)=\($0)"] } ?? [] }
  }
}
