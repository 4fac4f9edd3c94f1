internal import ArgumentParser
internal import FoundationEssentials
internal import Jobs

/// Which time and chance creatives live in, and how long they are watched.
struct TimeOptions: ParsableArguments {
  @Option(
    help:
      "Which time creatives live in: the machine's, or their own that passes without waiting (default: real, virtual with --at, --filmstrip and --date)."
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
      "Time a creative must rest in its state before the render ends (default: 0.1 for MRAID, else none).",
      valueName: "seconds"))
  var watch: Double?

  func validate() throws {
    if date != nil, clock == .real { throw ValidationError("--date goes with --clock virtual") }
    guard (0...3600).contains(watch ?? 0) else { throw ValidationError("--watch must be from 0 to 3600 seconds") }
  }

  private static func date(_ text: String) throws -> Double {
    guard let date = try? Date(text, strategy: .iso8601) else {
      throw ValidationError("'\(text)' is no instant: write it like 2026-12-24T18:00:00Z")
    }
    return date.timeIntervalSince1970
  }

  /// The clock that was asked for, else the one that what is asked for needs.
  func clock(for captures: Captures) -> RenderOptions.Clock {
    clock ?? (captures.isEmpty && date == nil ? .real : .virtual)
  }
}

extension RenderOptions.Clock: ExpressibleByArgument {}
