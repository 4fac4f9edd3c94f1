internal import Application
internal import ArgumentParser
internal import Core
internal import Device
internal import FoundationEssentials
internal import MRAID
internal import RenderModel
internal import Terminal
internal import Workers

/// How to render: what every command that renders has in common.
struct RenderingOptions: ParsableArguments {
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Time") var time: TimeOptions
  @OptionGroup(title: "Network") var network: NetworkOptions
  @OptionGroup(title: "Recording") var traffic: TrafficArguments

  @Option(help: "Whether a compositor draws creatives, as 3D transforms and backdrop filters need.")
  var compositing = RenderOptions().compositing

  @Flag(
    help:
      "Measure load, processor, document and motion too, into measurements.json; takes 3 s unless --measure-time says.")
  var measure = false

  func validate() throws {
    // Virtual time waits for nothing: there a minute of it may pass in a second.
    guard time.clock == .real else { return }
    for (name, seconds) in [("--idle-time", time.idleTime), ("--measure-time", time.measureTime)] {
      guard (seconds ?? 0) < limits.timeout else {
        throw ValidationError(
          "\(name) must be shorter than --timeout with --clock real, or no render could end in time")
      }
    }
  }

  /// How every creative is rendered on `device`, with these pictures at instants.
  func template(
    _ device: Device, _ orientation: AppOrientation?, _ placement: PlacementOptions, _ container: ContainerProfile?,
    _ captures: CaptureSchedule = CaptureSchedule(), measures: Bool = false, film: FilmRequest? = nil
  ) -> JobTemplate {
    var options = self.options(captures, isFeed: placement.feed != nil)
    options.film = film
    if measures { options.measures = true }
    return JobTemplate(
      device: device, orientation: orientation, wish: placement.wish, container: container, limits: limits.limits,
      options: options)
  }

  /// The pool of workers that renders: this machine's, or a queue's.
  func pool(_ queue: QueueOptions? = nil) throws(Fault) -> PoolSettings {
    guard let queue, queue.queue != nil else {
      var settings = PoolSettings(executable: try Executables.worker(), capacity: limits.jobs)
      settings.recordings = try traffic.plan()
      return settings
    }
    guard traffic.options == nil else {
      throw .request(
        "recording-on-queue", "--record, --replay, --network-profile and --fault render on this machine: without --queue")
    }
    var settings = PoolSettings(executable: "", capacity: limits.jobs)
    settings.farm = try FarmCall(queue.words)
    return settings
  }

  /// How to render, with these pictures at instants.
  func options(_ captures: CaptureSchedule = CaptureSchedule(), isFeed: Bool = false) -> RenderOptions {
    RenderOptions(
      isolation: limits.isolation, followsClickthroughs: network.followClickthroughs, network: network.reach,
      idleTime: time.idleTime, measureTime: time.measureTime, clock: time.clock(inFeed: isFeed), date: time.date,
      measures: measure, compositing: compositing, captures: captures, seed: time.seed,
      sendsBeacons: network.sendBeacons, traffic: traffic.options, consent: network.consent, omid: network.omid)
  }
}

extension RenderOptions.Compositing: ExpressibleByArgument {}

/// Which time and chance creatives live in, and for how long they are observed.
struct TimeOptions: ParsableArguments {
  @Option(
    help:
      "Which time creatives live in: their own, which passes without waiting, or the machine's (default: virtual; real for a --feed, whose ads have a process each, and a stepped clock has one)."
  )
  var clock: RenderOptions.Clock?

  @Option(
    help: ArgumentHelp(
      "The day and hour that creatives with a virtual clock find: 2026-12-24T18:00:00Z.", valueName: "instant"),
    transform: TimeOptions.date)
  var date: Double?

  @Option(help: ArgumentHelp("Makes Math.random and the like give the same numbers every time.", valueName: "number"))
  var seed: UInt32?

  @Option(
    help: ArgumentHelp(
      "Time a creative must stay in its state before the render ends (default: 0.1 for MRAID, else none).",
      valueName: "seconds"))
  var idleTime: Double?

  @Option(help: ArgumentHelp("Time for which a creative's motion is measured (default: 3).", valueName: "seconds"))
  var measureTime: Double?

  func validate() throws {
    if date != nil, clock == .real { throw ValidationError("--date goes with --clock virtual") }
    for (name, seconds) in [("--idle-time", idleTime), ("--measure-time", measureTime)] {
      guard (0...3600).contains(seconds ?? 0) else { throw ValidationError("\(name) must be from 0 to 3600 seconds") }
    }
  }

  private static func date(_ text: String) throws -> Double {
    guard let date = try? Date(text, strategy: .iso8601) else {
      throw ValidationError("'\(text)' is no instant: write it like 2026-12-24T18:00:00Z")
    }
    return date.timeIntervalSince1970
  }

  /// The clock that was asked for, else a creative's own.
  ///
  /// A feed's ads have a web process each, so that none takes another along, and a stepped clock is one process's.
  func clock(inFeed isFeed: Bool) -> RenderOptions.Clock {
    clock ?? (isFeed && date == nil ? .real : .virtual)
  }
}

extension RenderOptions.Clock: ExpressibleByArgument {}

/// How many renders run, and what each may take.
struct LimitOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Creatives rendered at a time, by default one a core.", valueName: "number")
  )
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: ArgumentHelp("Time a render may take; waiting for its turn isn't counted.", valueName: "seconds"))
  var timeout = Limits().timeout

  @Option(help: ArgumentHelp("Memory a creative may have: its web process, and what it makes others grow by.", valueName: "MiB"))
  var memory = Limits().memory

  @Option(help: "What creatives of a batch don't share.") var isolation = RenderOptions().isolation

  func validate() throws {
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 256") }
    guard timeout >= 0.1, timeout <= 3600 else { throw ValidationError("--timeout must be from 0.1 to 3600 seconds") }
    // A web process that shows nothing takes about 160 already.
    guard (256...65_536).contains(memory) else { throw ValidationError("--memory must be from 256 to 65536 MiB") }
  }

  var limits: Limits { Limits(timeout: timeout, memory: memory) }
}

extension RenderOptions.Isolation: ExpressibleByArgument {}

/// What creatives may reach, and what is loaded or told on their behalf.
struct NetworkOptions: ParsableArguments {
  @Option(help: "What creatives may reach: any address, public ones only, or none at all.")
  var network: NetworkPolicy.Kind?

  @Option(
    help: ArgumentHelp(
      "Addresses that --network public or none reaches besides: 10.1.0.0/16.", valueName: "block"))
  private var allowNetwork: [String] = []

  @Flag(help: "The same as --network none.") var offline = false
  @Flag(help: "Load the pages that clickthroughs lead to.") var followClickthroughs = false
  @Flag(help: "Really ask the addresses that count a video ad's events; they are only logged otherwise.")
  var sendBeacons = false

  @Option(help: "What ads are told that the person said to being tracked, by TCF, GPP and US Privacy (default: nothing).")
  var consent: Consent?

  @Flag(help: "Measure ads by Open Measurement (OMID), as an app with its SDK does, and run the measuring code they name.")
  var omid = false

  func validate() throws {
    if offline, network ?? .none != .none { throw ValidationError("--offline goes with --network none only") }
    guard allowNetwork.isEmpty || reach.kind != .any else {
      throw ValidationError("--allow-network goes with --network public or none")
    }
    if let wrong = allowNetwork.first(where: { AddressBlock($0) == nil }) {
      throw ValidationError("'\(wrong)' is no block of addresses: write it like 10.1.0.0/16")
    }
  }

  var reach: NetworkPolicy { NetworkPolicy(offline ? .none : network ?? .any, allowed: allowNetwork) }
}

extension NetworkPolicy.Kind: ExpressibleByArgument {}
extension Consent: ExpressibleByArgument {}
