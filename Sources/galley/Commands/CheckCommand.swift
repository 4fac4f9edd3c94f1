internal import ArgumentParser
internal import Checks
internal import Core
internal import Foundation
internal import RenderModel
internal import Reports
internal import Workers

/// Renders creatives and judges them.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Render creatives and judge them by checks and networks' rules.",
    discussion: """
      Renders as galley render does, with a scenario or --explore, and judges what it finds. --out gets the results \
      and report.json. 'galley checks' lists the checks. With --feed every ad of the feed is judged.

      Exit codes: 0 all passed, 1 findings, 2 wrong usage, 3 Galley or the machine failed, 4 a deadline passed, \
      130 interrupted. With several creatives the first of 130, 3, 4, 2, 1 that applies.
      """)

  @Argument(
    help: ArgumentHelp("HTML files, folders, zips, http(s) URLs or - for standard input.", valueName: "creative"))
  var creatives: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder for results.", valueName: "folder"))
  var out = "galley-out"

  @Option(help: ArgumentHelp("The scenario every creative is put through.", valueName: "file"))
  var scenario: String?

  @Flag(name: .shortAndLong, help: "Search folders for creatives.") var recursive = false
  @OptionGroup(title: "Rules") var rules: CheckOptions
  @OptionGroup(title: "Device") var device: DeviceOptions
  @OptionGroup(title: "Placement") var placement: PlacementOptions
  @OptionGroup(title: "Container") var container: ContainerOptions
  @OptionGroup(title: "Exploring") var exploring: ExploreOptions
  @OptionGroup(title: "Rendering") var rendering: RenderingOptions
  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup(title: "Sharding") var sharding: ShardOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    if exploring.explore, scenario != nil {
      throw ValidationError("--explore finds its own way: it takes no --scenario")
    }
    guard placement.feed != nil else { return }
    if exploring.explore { throw FeedRefusal.explore }
    if sharding.shard != nil { throw FeedRefusal.shard }
  }

  func run() async throws {
    let file = try PolicyFile(named: rules.policy, creatives: creatives)
    let profiles = try file.profiles(asked: rules.profileNames)
    let plan = try plan(by: file)
    let run = CheckRun(
      plan: plan, settings: PoolSettings(executable: try Executables.worker(), capacity: rendering.limits.jobs),
      budget: exploring.explore ? exploring.budget : nil,
      judge: Judge(policy: file.policy, profiles: profiles, today: Self.today), profiles: profiles)
    let (report, interrupted) = try await run.run(CheckProgress(plan: plan, output: output, console: .error))
    try CheckReporter(output: output, console: .output, out: out).tell(report)
    if !reports.isEmpty {
      let source = try ReportSource.read(folder: out, workingFolder: FileManager.default.currentDirectoryPath)
      try await ReportWriter(options: reports, console: output.json ? .error : .output).write(source)
    }
    throw ExitStatus(worstOf: report.creatives.map { ExitStatus($0) } + (interrupted ? [.interrupted] : []))
  }

  /// The creatives on each device of the policy's, unless the call names one.
  private func plan(by file: PolicyFile) throws(Fault) -> BatchPlan {
    var devices = try device.devices()
    if device.isOpen, !file.policy.devices.isEmpty {
      devices = []
      for name in file.policy.devices {
        devices.append(try DeviceOptions.device(name.hasSuffix(".json") ? "\(file.folder)/\(name)" : name))
      }
    }
    let given = try scenario.map { path throws(Fault) in try ScenarioFile(path: path, name: path).read() }
    let profile = try container.resolved()
    var options = rendering.options()
    options.measures = true
    let planner = BatchPlanner(
      out: out, device: devices[0], orientation: device.orientation, placement: placement, scenario: given,
      container: profile, limits: rendering.limits.limits, options: options, explores: exploring.explore,
      shard: sharding.shard)
    let plan = try planner.plan(creatives, recursive: recursive, spool: StandardInputSpool.fill)
    return try plan.crossed(with: devices)
  }

  /// The day by which suppressions expire.
  private static var today: String { Date.now.formatted(.iso8601.year().month().day()) }
}

/// By which rules creatives are judged.
struct CheckOptions: ParsableArguments {
  @Option(
    name: .customLong("profile"),
    help: ArgumentHelp(
      "Networks whose rules to judge by, with commas between them, or all; a .json file describes one of your own.",
      valueName: "names"))
  private var profiles: String?

  @Option(help: ArgumentHelp("What the team agreed on (default: galley.yaml beside the creatives).", valueName: "file"))
  var policy: String?

  /// The names asked for; nil when nobody asked.
  var profileNames: [String]? {
    profiles?.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace).description }
  }
}

/// A policy on disk, and the profiles it and the call ask for.
struct PolicyFile {
  private static let name = "galley.yaml"

  let policy: Policy
  /// The folder that paths in it start from.
  let folder: String

  /// The policy named, else the one beside the creatives, else none.
  init(named path: String?, creatives: [String]) throws(Fault) {
    let own = path == nil ? try Self.beside(creatives) : nil
    guard let path = path ?? own else {
      (policy, folder) = (Policy(), ".")
      return
    }
    let bytes = try Self.bytes(path, "policy", isNamed: own == nil, most: YAMLDocument.maximumBytes)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .request("policy-missing", "can't read the policy \(path): it is no UTF-8 text")
    }
    policy = try PolicyParser.parse(text, source: path)
    folder = URL(filePath: path).deletingLastPathComponent().path
  }

  /// The profiles to judge by: the call's, else the policy's, else the default.
  func profiles(asked: [String]?) throws(Fault) -> [Profile] {
    let names = asked ?? policy.profiles ?? ProfileCatalogue.defaultNames
    let own = asked == nil ? policy.profileFiles.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" } : []
    var chosen = try ProfileCatalogue.standard.named(names.filter { !$0.hasSuffix(".json") })
    for path in names.filter({ $0.hasSuffix(".json") }) + own {
      let bytes = try Self.bytes(path, "profile", isNamed: !own.contains(path), most: Self.largestProfile)
      let profile = try ProfileCatalogue.read(Data(bytes), name: path)
      guard !chosen.contains(where: { $0.id == profile.id }) else {
        throw .request("profile-twice", "\(path): there is a profile '\(profile.id)' already")
      }
      chosen.append(profile)
    }
    return chosen
  }

  /// Bytes a profile may have.
  private static let largestProfile = 1 << 20

  /// Reads what the call names, be it a pipe, and of what lies beside creatives files alone.
  private static func bytes(_ path: String, _ what: String, isNamed: Bool, most: Int) throws(Fault) -> [UInt8] {
    do throws(FileReadingError) {
      return try isNamed ? FileReading.named(path, most: most) : FileReading.regular(path, most: most)
    } catch {
      throw .request("\(what)-missing", "can't read the \(what) \(path): \(error)")
    }
  }

  /// In a creative's own folder, or in the one it lies in; two that differ are for the caller to choose from.
  private static func beside(_ creatives: [String]) throws(Fault) -> String? {
    var found: [String] = []
    for creative in creatives where creative != "-" && !creative.contains("://") {
      let url = URL(filePath: creative).standardizedFileURL
      let candidates = [url, url.deletingLastPathComponent()].map { $0.appending(path: name).path }
      if let path = candidates.first(where: FileManager.default.fileExists), !found.contains(path) {
        found.append(path)
      }
    }
    guard found.count < 2 else {
      throw .request("policy-twice", "\(found[0]) and \(found[1]) both apply; name one with --policy")
    }
    return found.first
  }
}
