internal import Application
internal import ArgumentParser
internal import Core
internal import FoundationEssentials
internal import Queue
internal import Service
internal import Terminal
internal import Workers

/// Renders what a queue hands out.
struct WorkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", abstract: "Render what a queue hands out, on as many machines as you like.",
    discussion: """
      Takes jobs that galley serve --queue accepted or galley render --queue sent, renders them here and sends back \
      what came of them. It keeps nothing. SIGTERM lets what runs end for a while and gives the rest back at once.

      Exit codes: 0 told to stop, 2 wrong usage, 3 Galley, the machine or the queue failed.
      """)

  @OptionGroup(title: "Queue") var queue: QueueOptions
  @Option(help: ArgumentHelp("Servers of NATS that keep each thing, where it is made: 1 to 5.", valueName: "number"))
  var queueReplicas = 1

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Creatives rendered at a time, by default one a core.", valueName: "number")
  )
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: ArgumentHelp("Time that renders get to end when it is told to stop.", valueName: "seconds"))
  var drain = 30.0

  @Option(help: ArgumentHelp("The most time a job may ask for.", valueName: "seconds")) var maxTimeout = 300.0
  @Option(help: ArgumentHelp("The most memory a job may ask for.", valueName: "MiB")) var maxMemory = 4096
  @Option(help: ArgumentHelp("The largest screen a job may ask for.", valueName: "megapixels")) var maxScreen = 24
  @Flag(help: "Let creatives reach private addresses.") var allowPrivateNetwork = false

  @Option(
    help: ArgumentHelp("Where metrics are told, like 127.0.0.1:9102; port 0 for any.", valueName: "address:port"))
  var metrics: String?

  @Option(
    help: ArgumentHelp("A folder for what is being rendered; a new one below /tmp unless said.", valueName: "folder"))
  var scratch: String?

  @Flag(help: "Print the address of metrics as JSON.") var json = false
  @Option(
    help: ArgumentHelp(
      "A collector of OpenTelemetry's for traces, like http://127.0.0.1:4318/v1/traces.", valueName: "url"))
  var otlp: String?

  @Flag(name: .shortAndLong, help: "Log more.") var verbose = false

  func validate() throws {
    if let otlp, PublicAddress(origin(of: otlp)) == nil {
      throw ValidationError("--otlp must be like http://127.0.0.1:4318/v1/traces, not '\(otlp)'")
    }
    guard queue.queue != nil else { throw ValidationError("--queue says where jobs come from: nats://host:4222") }
    guard (1...5).contains(queueReplicas) else { throw ValidationError("--queue-replicas must be from 1 to 5") }
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 256") }
    guard (0...3600).contains(drain) else { throw ValidationError("--drain must be from 0 to 3600 seconds") }
    guard (1...3600).contains(maxTimeout) else { throw ValidationError("--max-timeout must be from 1 to 3600 seconds") }
    guard (256...65_536).contains(maxMemory) else {
      throw ValidationError("--max-memory must be from 256 to 65536 MiB")
    }
    guard (1...100).contains(maxScreen) else {
      throw ValidationError("--max-screen must be from 1 to 100 megapixels")
    }
    _ = try metrics.map(Self.place)
  }

  func run() async throws {
    guard let farm = try queue.farm(replicas: queueReplicas) else { return }
    let folder = try scratch.map { AbsolutePath.written($0) + "/galley-work" } ?? ScratchFolder.make() + "/work"
    var capabilities: Set = ["clock-virtual", "clock-real", "compositor"]
    if FilmProgram.isThere { capabilities.insert("film") }
    if RecordingFiles.recorderIsThere { capabilities.insert("recorder") }
    var settings = WorkSettings(
      jobs: jobs, worker: try Executables.worker(), executable: Executables.own,
      folder: folder, capabilities: capabilities, name: farm.holder)
    (settings.bounds.timeout, settings.bounds.memory) = (maxTimeout, maxMemory)
    (settings.bounds.pixels, settings.bounds.drain) = (maxScreen * 1_000_000, drain)
    settings.allowsPrivateNetwork = allowPrivateNetwork
    settings.metrics = try metrics.map(Self.place)
    let tracing = otlp.map { TracingSettings(address: $0, service: "galley-work", instance: QueueOptions.machine) }
    let json = json
    try await GalleyWork(settings, farm: farm, tracing: tracing, verbose: verbose).run { address in
      let text = address.map { "galley works, and tells metrics on \($0)" } ?? "galley works"
      let line = json ? JSONText.line(["metrics": address]) : text
      do throws(Fault) {
        try Console.output.printMessage(line + "\n")
      } catch {
        // Who reads nothing has it rendered all the same.
      }
    }
  }

  private static func place(_ text: String) throws -> (host: String, port: Int) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65_535).contains(port), colon > text.startIndex
    else { throw ValidationError("--metrics must be like 127.0.0.1:9102, not '\(text)'") }
    return (text[..<colon].filter { $0 != "[" && $0 != "]" }, port)
  }
}
