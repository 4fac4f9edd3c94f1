internal import ArgumentParser
internal import Egress
internal import FoundationEssentials
internal import Jobs

/// What the renders may use and touch.
struct LimitOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Creatives rendered at a time, by default one a core.", valueName: "number")
  )
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: ArgumentHelp("Time a render may take; waiting for its turn isn't counted.", valueName: "seconds"))
  var timeout = Limits().timeout

  @Option(help: ArgumentHelp("Memory a creative's web process may have.", valueName: "MiB"))
  var memory = Limits().memory

  @Option(help: "What creatives of a batch don't share.") var isolation = RenderOptions().isolation
  @Option(
    help:
      "Which time creatives live in: the machine's, or their own that passes without waiting (default: real, virtual with --at, --filmstrip and --date)."
  )
  var clock: RenderOptions.Clock?

  @Option(
    help: ArgumentHelp(
      "The day and hour that creatives with a virtual clock find: 2026-12-24T18:00:00Z.", valueName: "instant"),
    transform: LimitOptions.date)
  var date: Double?

  @Option(help: ArgumentHelp("Makes Math.random and the like give the same numbers every time.", valueName: "number"))
  var seed: UInt32?

  @Option(help: "Whether a compositor draws creatives, as 3D transforms and backdrop filters need.")
  var compositing = RenderOptions().compositing

  @Option(
    help: ArgumentHelp("Time an MRAID creative must rest in its state before the render ends.", valueName: "seconds"))
  var watch: Double?

  @Flag(help: "Load the pages that clickthroughs lead to.") var followClickthroughs = false
  @Option(help: "What creatives may reach: any address, public ones only, or none but this machine's.")
  var network: NetworkReach.Kind?

  @Option(
    help: ArgumentHelp("Addresses that --network public reaches besides: 10.1.0.0/16.", valueName: "block"))
  var allowNetwork: [String] = []

  @Flag(help: "The same as --network none.") var offline = false
  @Flag(help: "Really ask the addresses that count a video ad's events; they are only logged otherwise.")
  var sendBeacons = false
  @Flag(
    help:
      "Measure load, processor, document and motion too, into measurements.json; watches for 3 s unless --watch says.")
  var measure = false

  func validate() throws {
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 256") }
    if date != nil, clock == .real { throw ValidationError("--date goes with --clock virtual") }
    if offline, network ?? .none != .none { throw ValidationError("--offline goes with --network none only") }
    guard allowNetwork.isEmpty || network == .public else {
      throw ValidationError("--allow-network goes with --network public")
    }
    if let wrong = allowNetwork.first(where: { AddressBlock($0) == nil }) {
      throw ValidationError("'\(wrong)' is no block of addresses: write it like 10.1.0.0/16")
    }
    guard timeout >= 0.1, timeout <= 3600 else { throw ValidationError("--timeout must be from 0.1 to 3600 seconds") }
    guard (0...3600).contains(watch ?? 0) else { throw ValidationError("--watch must be from 0 to 3600 seconds") }
    guard (watch ?? 0) < timeout else {
      throw ValidationError("--watch must be shorter than --timeout, or no render could end in time")
    }
    // A web process that shows nothing takes about 160 already.
    guard (256...65_536).contains(memory) else { throw ValidationError("--memory must be from 256 to 65536 MiB") }
  }

  private static func date(_ text: String) throws -> Double {
    guard let date = try? Date(text, strategy: .iso8601) else {
      throw ValidationError("'\(text)' is no instant: write it like 2026-12-24T18:00:00Z")
    }
    return date.timeIntervalSince1970
  }

  var limits: Limits { Limits(timeout: timeout, memory: memory) }

  private var reach: NetworkReach { NetworkReach(offline ? .none : network ?? .any, allowed: allowNetwork) }

  /// How to render, with these pictures at instants.
  func renderOptions(_ captures: Captures = Captures()) -> RenderOptions {
    RenderOptions(
      isolation: isolation, followsClickthroughs: followClickthroughs, network: reach, watch: watch,
      clock: clock ?? (captures.isEmpty && date == nil ? .real : .virtual), date: date, measures: measure,
      compositing: compositing,
      captures: captures, seed: seed, sendsBeacons: sendBeacons)
  }
}

extension NetworkReach.Kind: ExpressibleByArgument {}
extension RenderOptions.Isolation: ExpressibleByArgument {}
extension RenderOptions.Compositing: ExpressibleByArgument {}
extension RenderOptions.Clock: ExpressibleByArgument {}
