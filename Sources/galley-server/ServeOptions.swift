internal import ArgumentParser
internal import Core
internal import Service

/// What renders may take, and how long results are kept.
struct ServeBoundOptions: ParsableArguments {
  private static let standard = ServiceSettings.Bounds()

  @Option(
    help: ArgumentHelp(
      "Renders that may wait for their turn (default: 200; 100000 with --queue).", valueName: "number"))
  var maxWaiting: Int?

  @Option(help: ArgumentHelp("Time a render may wait for a worker.", valueName: "seconds"))
  var queueTimeout = ServeBoundOptions.standard.queueTimeout

  @Option(help: ArgumentHelp("The most time a request may ask for.", valueName: "seconds"))
  var maxTimeout = ServeBoundOptions.standard.timeout

  @Option(help: ArgumentHelp("The most memory a request may ask for.", valueName: "MiB"))
  var maxMemory = ServeBoundOptions.standard.memory

  @Option(
    help: ArgumentHelp("The largest screen a request may ask for, in pixels of its pictures.", valueName: "megapixels"))
  var maxScreen = ServeBoundOptions.standard.pixels / 1_000_000

  @Option(help: ArgumentHelp("The largest body of a request.", valueName: "bytes"))
  var maxBody = ServeBoundOptions.standard.body

  @Option(help: ArgumentHelp("Time renders get to end when the server is told to stop.", valueName: "seconds"))
  var drain = ServeBoundOptions.standard.drain

  @Option(help: ArgumentHelp("How long results are kept.", valueName: "days"))
  var keepDays = ServeBoundOptions.standard.days

  @Option(help: ArgumentHelp("How much of results is kept, the newest first.", valueName: "bytes"))
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

  /// `isShared` where many machines render what is accepted.
  func bounds(isShared: Bool) -> ServiceSettings.Bounds {
    var bounds = Self.standard
    bounds.waiting = maxWaiting ?? (isShared ? 100_000 : bounds.waiting)
    (bounds.queueTimeout, bounds.timeout, bounds.memory) = (queueTimeout, maxTimeout, maxMemory)
    bounds.pixels = maxScreen * 1_000_000
    (bounds.body, bounds.drain, bounds.days, bounds.bytes) = (maxBody, drain, keepDays, keepBytes)
    return bounds
  }
}

/// Who may call the server, and what creatives may reach.
struct ServeSafetyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file of tokens; without one only this machine may call, and do everything.", valueName: "file"))
  var tokens: String?

  @Option(
    help: ArgumentHelp("The file with the secret that webhooks are signed with.", valueName: "file"))
  var webhookSecret: String?

  @Flag(help: "Let creatives and webhooks reach private addresses.") var allowPrivateNetwork = false

  @Option(
    help: ArgumentHelp(
      "The address by which others know the server: its pages' cookies are for https only if it is, and webhooks "
        + "name it.",
      valueName: "url"))
  var publicAddress: String?

  @Option(
    help: ArgumentHelp(
      "A proxy in front of the server, by address or block like 10.0.0.0/8: what it says of https is believed.",
      valueName: "address"))
  var trustedProxy: [String] = []

  @Option(
    help: ArgumentHelp(
      "The most days for which a link to one render may be given to people without a token; 0 for no such links.",
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
