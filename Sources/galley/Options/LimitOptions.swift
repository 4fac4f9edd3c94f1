internal import ArgumentParser
internal import FoundationEssentials
internal import Jobs

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
