internal import Application
internal import ArgumentParser
internal import Cluster
internal import Core
internal import FoundationEssentials
internal import Telemetry
internal import Terminal
internal import Workers

/// The `work` command, which renders the jobs that a queue hands out.
struct WorkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", abstract: "Render jobs from a queue, on any number of machines.",
    discussion: """
      Takes jobs from galley serve --queue or galley render --queue, renders them on this machine and sends the \
      results back. It stores nothing. On SIGTERM it finishes running renders for the time of --drain and returns the \
      other jobs at once.

      Exit codes: 0 stopped by a signal, 2 wrong usage, 3 Galley, the machine or the queue failed.
      """)

  @OptionGroup(title: "Queue") var queue: QueueOptions
  @Option(
    help: ArgumentHelp("No effect; servers set the number of NATS servers that store data.", valueName: "number"))
  var queueReplicas = 1

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Creatives rendered at the same time (default: one per core).", valueName: "number")
  )
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: ArgumentHelp("Time for running renders to finish after a stop signal.", valueName: "seconds"))
  var drain = 30.0

  @Option(help: ArgumentHelp("Maximum render time that a job may set.", valueName: "seconds")) var maxTimeout = 300.0
  @Option(help: ArgumentHelp("Maximum memory that a job may set.", valueName: "MiB")) var maxMemory = 4096
  @Option(help: ArgumentHelp("Maximum screen that a job may set.", valueName: "megapixels")) var maxScreen = 24
  @Flag(help: "Let creatives reach private addresses.") var allowPrivateNetwork = false
  @Flag(help: "Start even if WebKit's sandbox can't be used.") var allowUnsandboxed = false

  @Option(
    help: ArgumentHelp(
      "Address that serves metrics, like 127.0.0.1:9102; port 0 for any free port.", valueName: "address:port"))
  var metrics: String?

  @Option(
    help: ArgumentHelp("The folder for running renders (default: a new folder below /tmp).", valueName: "folder"))
  var scratch: String?

  @Flag(help: "Print the metrics address as JSON.") var json = false
  @Option(
    help: ArgumentHelp(
      "An OpenTelemetry collector for traces, like http://127.0.0.1:4318/v1/traces.", valueName: "url"))
  var otlp: String?

  @Flag(name: .shortAndLong, help: "Log more.") var verbose = false

  func validate() throws {
    if let otlp, PublicAddress(origin(of: otlp)) == nil {
      throw ValidationError("--otlp must be like http://127.0.0.1:4318/v1/traces, not '\(otlp)'")
    }
    guard queue.queue != nil else {
      throw ValidationError("--queue is required: name the queue of the jobs, like nats://host:4222")
    }
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
    if let warning = try await SandboxRequirement.check(isWaived: allowUnsandboxed) { Console.error.write(warning) }
    guard let cluster = try queue.cluster(replicas: queueReplicas) else { return }
    let folder = try scratch.map { AbsolutePath.written($0) + "/galley-work" } ?? ScratchFolder.make() + "/work"
    var capabilities: Set = ["clock-virtual", "clock-real", "compositor"]
    if FilmProgram.isThere { capabilities.insert("film") }
    if RecordingFiles.recorderIsThere { capabilities.insert("recorder") }
    var settings = WorkSettings(
      jobs: jobs, worker: try Executables.worker(), executable: Executables.own,
      folder: folder, capabilities: capabilities,
      bounds: WorkSettings.Bounds(
        timeout: maxTimeout, memory: maxMemory, pixels: maxScreen * 1_000_000, drain: drain),
      name: cluster.holder)
    let caller = try QueueCaller(.worker, user: queue.user("worker"), instance: cluster.holder)
    settings.allowsPrivateNetwork = allowPrivateNetwork
    settings.metrics = try metrics.map(Self.place)
    let tracing = otlp.map { TracingSettings(address: $0, service: "galley-work", instance: QueueOptions.machine) }
    let json = json
    try await WorkerServer(settings, cluster: cluster, as: caller, tracing: tracing, verbose: verbose).run { address in
      let text = address.map { "galley works, metrics on \($0)" } ?? "galley works"
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
