internal import ArgumentParser
internal import Jobs

/// How to render: what every command that renders has in common.
struct RenderingOptions: ParsableArguments {
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Time") var time: TimeOptions
  @OptionGroup(title: "Network") var network: NetworkOptions

  @Option(help: "Whether a compositor draws creatives, as 3D transforms and backdrop filters need.")
  var compositing = RenderOptions().compositing

  @Flag(
    help:
      "Measure load, processor, document and motion too, into measurements.json; watches for 3 s unless --watch says.")
  var measure = false

  func validate() throws {
    guard (time.watch ?? 0) < limits.timeout else {
      throw ValidationError("--watch must be shorter than --timeout, or no render could end in time")
    }
  }

  /// How to render, with these pictures at instants.
  func options(_ captures: Captures = Captures()) -> RenderOptions {
    RenderOptions(
      isolation: limits.isolation, followsClickthroughs: network.followClickthroughs, network: network.reach,
      watch: time.watch, clock: time.clock(for: captures), date: time.date, measures: measure, compositing: compositing,
      captures: captures, seed: time.seed, sendsBeacons: network.sendBeacons)
  }
}

extension RenderOptions.Compositing: ExpressibleByArgument {}
