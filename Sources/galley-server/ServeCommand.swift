internal import ArgumentParser
internal import Core
internal import FoundationEssentials
internal import Service
internal import Telemetry
internal import Terminal
internal import Workers

/// The `serve` command, which serves renders over HTTP.
struct ServeCommand: AsyncParsableCommand, StandaloneCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve renders over HTTP: an API, web pages and a persistent queue.",
    usage: "galley serve [<options>]\ngalley serve token <subcommand>",
    discussion: """
      Prints its address as soon as it accepts requests. --data stores everything: a server that is restarted with the \
      same folder continues the accepted renders. On SIGTERM the server finishes running renders and leaves the rest \
      to the next server.

      With --queue the server renders nothing itself: galley work does, on other machines. Several servers can then \
      run side by side, and --data is a copy of their shared data.

      Exit codes: 0 stopped by a signal, 2 wrong usage, 3 Galley or the machine failed.
      """, subcommands: [TokenCommand.self])

  @Option(help: ArgumentHelp("The port; 0 for any free port.", valueName: "number")) var port = 8080
  @Option(help: ArgumentHelp("The address to listen on.", valueName: "address")) var host = "127.0.0.1"
  @Option(help: ArgumentHelp("The folder for renders, results and baselines.", valueName: "folder"))
  var data = "galley-data"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Creatives rendered at the same time (default: one per core).", valueName: "number")
  )
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @OptionGroup(title: "Queue") var queue: QueueOptions

  @Option(
    help: ArgumentHelp(
      "Number of NATS servers that store each stream and bucket when it is created: 1 to 5.", valueName: "number"))
  var queueReplicas = 1

  @Option(
    help: ArgumentHelp(
      "The file with the key that all servers of a queue share, created if missing. Workers don't get it.",
      valueName: "file"))
  var clusterKey: String?

  @OptionGroup(title: "Safety") var safety: ServeSafetyOptions
  @OptionGroup(title: "Bounds") var bounds: ServeBoundOptions

  @Flag(help: "Print the address as JSON.") var json = false
  @Option(
    help: ArgumentHelp(
      "An OpenTelemetry collector for traces, like http://127.0.0.1:4318/v1/traces.", valueName: "url"))
  var otlp: String?

  @Flag(name: .shortAndLong, help: "Log each request.") var verbose = false

  func validate() throws {
    if let otlp, PublicAddress(origin(of: otlp)) == nil {
      throw ValidationError("--otlp must be like http://127.0.0.1:4318/v1/traces, not '\(otlp)'")
    }
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 256") }
    guard clusterKey == nil || queue.queue != nil else { throw ValidationError("--cluster-key requires --queue") }
    guard (1...5).contains(queueReplicas) else { throw ValidationError("--queue-replicas must be from 1 to 5") }
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
  }

  func run() async throws {
    // With a queue it renders nothing.
    if queue.queue == nil, let warning = try await SandboxRequirement.check(isWaived: safety.allowUnsandboxed) {
      Console.error.write(warning)
    }
    let cluster = try queue.cluster(replicas: queueReplicas)
    var settings = ServiceSettings(
      host: host, port: port, data: AbsolutePath.written(data), jobs: jobs, worker: try Executables.worker(),
      executable: Executables.own)
    settings.tokens = safety.tokens
    settings.secret = safety.webhookSecret
    settings.clusterKey = clusterKey.map { AbsolutePath.written($0) }
    settings.shareDays = safety.shareDays
    settings.allowsPrivateNetwork = safety.allowPrivateNetwork
    settings.publicAddress = safety.publicAddress.flatMap { PublicAddress($0) }
    settings.trustedProxies = safety.trustedProxy.compactMap { AddressBlock($0) }
    settings.bounds = bounds.bounds(isShared: cluster != nil)
    let tracing = otlp.map { TracingSettings(address: $0, service: "galley-serve", instance: QueueOptions.machine) }
    let json = json
    try await GalleyServer(settings, cluster: cluster, tracing: tracing, verbose: verbose).run { address in
      let text = json ? JSONText.line(["address": address]) : "galley serves on \(address)"
      do throws(Fault) {
        try Console.output.printMessage(text + "\n")
      } catch {
        // Nobody could find a server that can't say where it is.
        Console.error.printMessage(error)
        ExitStatus(error.origin).exit()
      }
    }
  }
}
