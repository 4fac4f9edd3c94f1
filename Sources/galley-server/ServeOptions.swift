internal import ArgumentParser
internal import Core
internal import Service

/// Options for the limits of renders and the retention of results.
struct ServeBoundOptions: ParsableArguments {
  private static let standard = ServiceSettings.Bounds()

  @Option(
    help: ArgumentHelp(
      "Maximum number of waiting renders (default: 200; 100000 with --queue).", valueName: "number"))
  var maxWaiting: Int?

  @Option(help: ArgumentHelp("Maximum time that a render waits for a worker.", valueName: "seconds"))
  var queueTimeout = ServeBoundOptions.standard.queueTimeout

  @Option(help: ArgumentHelp("Maximum render time that a request may set.", valueName: "seconds"))
  var maxTimeout = ServeBoundOptions.standard.timeout

  @Option(help: ArgumentHelp("Maximum memory that a request may set.", valueName: "MiB"))
  var maxMemory = ServeBoundOptions.standard.memory

  @Option(
    help: ArgumentHelp("Maximum screen that a request may set, in pixels of its screenshots.", valueName: "megapixels"))
  var maxScreen = ServeBoundOptions.standard.pixels / 1_000_000

  @Option(help: ArgumentHelp("Maximum size of a request body.", valueName: "bytes"))
  var maxBody = ServeBoundOptions.standard.body

  @Option(help: ArgumentHelp("Time for running renders to finish after a stop signal.", valueName: "seconds"))
  var drain = ServeBoundOptions.standard.drain

  @Option(help: ArgumentHelp("How long results are kept.", valueName: "days"))
  var keepDays = ServeBoundOptions.standard.days

  @Option(help: ArgumentHelp("Maximum size of all kept results; the oldest are removed first.", valueName: "bytes"))
  var keepBytes = ServeBoundOptions.standard.bytes

  func validate() throws {
    guard (1...1_000_000).contains(maxWaiting ?? 1) else {
      throw ValidationError("--max-waiting must be from 1 to 1000000")
    }
    guard (1...86_400).contains(queueTimeout) else {
      throw ValidationError("--queue-timeout must be from 1 to 86400 seconds")
    }
    guard (1...3600).contains(maxTimeout) else { throw ValidationError("--max-timeout must be from 1 to 3600 seconds") }
    guard (256...65_536).contains(maxMemory) else {
      throw ValidationError("--max-memory must be from 256 to 65536 MiB")
    }
    guard (1...100).contains(maxScreen) else {
      throw ValidationError("--max-screen must be from 1 to 100 megapixels")
    }
    guard (1000...1_000_000_000).contains(maxBody) else {
      throw ValidationError("--max-body must be from 1000 to 1000000000 bytes")
    }
    guard (0...3600).contains(drain) else { throw ValidationError("--drain must be from 0 to 3600 seconds") }
    guard keepDays >= 0, keepDays <= 36_500, keepBytes >= 0 else {
      throw ValidationError("--keep-days and --keep-bytes can't be negative")
    }
  }

  /// The limits for the server's settings.
  ///
  /// - Parameter isShared: true if workers on other machines render by a queue.
  func bounds(isShared: Bool) -> ServiceSettings.Bounds {
    var bounds = Self.standard
    bounds.waiting = maxWaiting ?? (isShared ? 100_000 : bounds.waiting)
    (bounds.queueTimeout, bounds.timeout, bounds.memory) = (queueTimeout, maxTimeout, maxMemory)
    bounds.pixels = maxScreen * 1_000_000
    (bounds.body, bounds.drain, bounds.days, bounds.bytes) = (maxBody, drain, keepDays, keepBytes)
    return bounds
  }
}

/// Options for access to the server, and for the network access of creatives.
struct ServeSafetyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file of tokens; without it only this machine may send requests, with all permissions.", valueName: "file"))
  var tokens: String?

  @Option(
    help: ArgumentHelp("The file with the secret that signs webhooks.", valueName: "file"))
  var webhookSecret: String?

  @Flag(help: "Let creatives and webhooks reach private addresses.") var allowPrivateNetwork = false
  @Flag(help: "Start even if WebKit's sandbox can't be used.") var allowUnsandboxed = false

  @Option(
    help: ArgumentHelp(
      "The server's public address, used in webhooks; if it is https, cookies of its pages are secure.",
      valueName: "url"))
  var publicAddress: String?

  @Option(
    help: ArgumentHelp(
      "A proxy in front of the server, by address or block like 10.0.0.0/8; its https headers are trusted.",
      valueName: "address"))
  var trustedProxy: [String] = []

  @Option(
    help: ArgumentHelp(
      "Maximum lifetime in days of links to a render that work without a token; 0 disables such links.",
      valueName: "days"))
  var shareDays = 0

  func validate() throws {
    guard (0...365).contains(shareDays) else { throw ValidationError("--share-days must be from 0 to 365") }
    if let publicAddress, PublicAddress(publicAddress) == nil {
      throw ValidationError("--public-address must be like https://galley.example, not '\(publicAddress)'")
    }
    for proxy in trustedProxy where AddressBlock(proxy) == nil {
      throw ValidationError("--trusted-proxy must be an address or a block like 10.0.0.0/8, not '\(proxy)'")
    }
  }
}
