internal import Application
internal import ArgumentParser
internal import Core
internal import Device
internal import FoundationEssentials
internal import MRAID
internal import RenderModel
internal import Terminal
internal import Workers

/// Options that all commands that render share.
struct RenderingOptions: ParsableArguments {
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Time") var time: TimeOptions
  @OptionGroup(title: "Network") var network: NetworkOptions
  @OptionGroup(title: "Recording") var traffic: TrafficArguments

  @Option(help: "Use of a compositor, which 3D transforms and backdrop filters need.")
  var compositing = RenderOptions().compositing

  @Flag(
    help:
      "Measure load, CPU, document and motion too, into measurements.json; takes 3 s, or --measure-time.")
  var measure = false

  @Flag(help: "Fail every render if WebKit's sandbox can't be used.")
  var requireSandbox = false

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

  /// Returns the template of all jobs, with the device and with captures at the given times.
  func template(
    _ resolved: Device, _ device: DeviceOptions, _ placement: PlacementOptions, _ container: ContainerProfile?,
    _ captures: CaptureSchedule = CaptureSchedule(), measures: Bool = false
  ) -> JobTemplate {
    var options = self.options(captures, isFeed: placement.feed != nil)
    if measures { options.measures = true }
    return JobTemplate(
      device: resolved, orientation: device.orientation, wish: placement.wish, container: container,
      limits: limits.limits, options: options, infersDevice: device.isOpen)
  }

  /// Returns the pool of workers that renders: this machine's, or a queue's.
  func pool(_ queue: QueueOptions? = nil) throws(Fault) -> PoolSettings {
    guard let queue, queue.queue != nil else {
      var settings = PoolSettings(executable: try Executables.worker(), capacity: limits.jobs)
      settings.recordings = try traffic.plan()
      return settings
    }
    guard traffic.options == nil else {
      throw .request(
        "recording-on-queue",
        "--record, --replay, --network-profile and --fault render on this machine: leave out --queue")
    }
    var settings = PoolSettings(executable: "", capacity: limits.jobs)
    settings.sender = try SenderProgram(queue.words)
    return settings
  }

  /// Returns the options of a render, with captures at the given times.
  func options(_ captures: CaptureSchedule = CaptureSchedule(), isFeed: Bool = false) -> RenderOptions {
    var options = RenderOptions(
      isolation: limits.isolation, followsClickthroughs: network.followClickthroughs, network: network.reach,
      idleTime: time.idleTime, measureTime: time.measureTime, clock: time.clock(inFeed: isFeed), date: time.date,
      measures: measure, compositing: compositing, captures: captures, seed: time.seed,
      sendsBeacons: network.sendBeacons, traffic: traffic.options, consent: network.consent, omid: network.omid,
      settings: time.user.settings)
    if requireSandbox { options.requiresSandbox = true }
    return options
  }
}

extension RenderOptions.Compositing: ExpressibleByArgument {}

/// Options for the creatives' clock and random numbers, and for the time they are observed.
struct TimeOptions: ParsableArguments {
  @Option(
    help:
      ArgumentHelp(
        """
        The creatives' clock: virtual, which never waits, or real, the machine's (default: virtual; real for a --feed, \
        whose ads run in separate processes).
        """)
  )
  var clock: RenderOptions.Clock?

  @Option(
    help: ArgumentHelp(
      "Date and time at which a virtual clock starts: 2026-12-24T18:00:00Z.", valueName: "instant"),
    transform: TimeOptions.date)
  var date: Double?

  @Option(
    help: ArgumentHelp(
      "Seed for Math.random and similar functions; the same seed gives the same numbers.", valueName: "number"))
  var seed: UInt32?

  @OptionGroup var user: UserSettingsOptions

  @Option(
    help: ArgumentHelp(
      "Time without a change of state before the render ends (default: 0.1 for MRAID, else none).",
      valueName: "seconds"))
  var idleTime: Double?

  @Option(help: ArgumentHelp("Time for which a creative's motion is measured (default: 3).", valueName: "seconds"))
  var measureTime: Double?

  func validate() throws {
    if date != nil, clock == .real { throw ValidationError("--date requires --clock virtual") }
    for (name, seconds) in [("--idle-time", idleTime), ("--measure-time", measureTime)] {
      guard (0...3600).contains(seconds ?? 0) else { throw ValidationError("\(name) must be from 0 to 3600 seconds") }
    }
  }

  private static func date(_ text: String) throws -> Double {
    guard let date = try? Date(text, strategy: .iso8601) else {
      throw ValidationError("'\(text)' isn't a date: write it like 2026-12-24T18:00:00Z")
    }
    return date.timeIntervalSince1970
  }

  /// Returns the requested clock, by default the virtual one, and the real one in a feed without a date.
  ///
  /// Each ad of a feed has a web process of its own, so that a crash affects no other ad, and a stepped clock belongs
  /// to a single process.
  func clock(inFeed isFeed: Bool) -> RenderOptions.Clock {
    clock ?? (isFeed && date == nil ? .real : .virtual)
  }
}

extension RenderOptions.Clock: ExpressibleByArgument {}

/// Options for the number of concurrent renders and their limits.
struct LimitOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Creatives rendered at the same time (default: one per core).", valueName: "number")
  )
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: ArgumentHelp("Maximum time of a render, without its time in the queue.", valueName: "seconds"))
  var timeout = Limits().timeout

  @Option(
    help: ArgumentHelp(
      "Memory limit of a creative: its web process, plus growth of other processes that it causes.", valueName: "MiB"))
  var memory = Limits().memory

  @Option(help: "Resources that creatives of a batch don't share.") var isolation = RenderOptions().isolation

  func validate() throws {
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 256") }
    guard Limits.timeouts.contains(timeout) else { throw ValidationError("--timeout must be from 0.1 to 3600 seconds") }
    guard Limits.memories.contains(memory) else { throw ValidationError("--memory must be from 256 to 65536 MiB") }
  }

  var limits: Limits { Limits(timeout: timeout, memory: memory) }
}

extension RenderOptions.Isolation: ExpressibleByArgument {}

/// Options for the network that creatives may reach, and for requests on their behalf.
struct NetworkOptions: ParsableArguments {
  @Option(help: "Addresses that creatives may reach: any, public ones only, or none.")
  var network: NetworkPolicy.Kind?

  @Option(
    help: ArgumentHelp(
      "Additional addresses that --network public or none may reach: 10.1.0.0/16.", valueName: "block"))
  private var allowNetwork: [String] = []

  @Flag(help: "The same as --network none.") var offline = false
  @Flag(help: "Load the pages that clickthroughs lead to.") var followClickthroughs = false
  @Flag(help: "Send the requests that count a video ad's events; by default they are only logged.")
  var sendBeacons = false

  @Option(
    help: "The user's choice on tracking, which TCF, GPP and US Privacy report to ads (default: no consent APIs).")
  var consent: Consent?

  @Flag(
    help: "Measure ads with Open Measurement (OMID), like an app with its SDK, and run their verification scripts.")
  var omid = false

  func validate() throws {
    if offline, network ?? .none != .none { throw ValidationError("--offline requires --network none") }
    guard allowNetwork.isEmpty || reach.kind != .any else {
      throw ValidationError("--allow-network requires --network public or none")
    }
    if let wrong = allowNetwork.first(where: { AddressBlock($0) == nil }) {
      throw ValidationError("'\(wrong)' isn't a block of addresses: write it like 10.1.0.0/16")
    }
  }

  var reach: NetworkPolicy { NetworkPolicy(offline ? .none : network ?? .any, allowed: allowNetwork) }
}

extension NetworkPolicy.Kind: ExpressibleByArgument {}
extension Consent: ExpressibleByArgument {}
