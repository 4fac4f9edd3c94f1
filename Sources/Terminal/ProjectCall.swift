package import Application
package import ArgumentParser
internal import Checks
package import Core

/// Command that takes options its call doesn't give from the project file.
package protocol ProjectCommand: ParsableCommand {
  /// Indicates if the command accepts several devices.
  static var takesDevices: Bool { get }
  /// Paths beside which the file may lie, as the caller wrote them.
  var subjects: [String] { get }
  /// Indicates if the command searches folders among them for creatives.
  var searches: Bool { get }
  /// Project file that the call names; nil for none.
  var projectFile: String? { get }
}

extension ProjectCommand {
  /// Reads the project file that applies to the call.
  package func policy() throws(Fault) -> PolicyFile {
    try PolicyFile(named: projectFile, creatives: subjects, searches: searches)
  }
}

/// Call with the options of its project file added.
struct ProjectCall<Root: ParsableCommand> {
  /// Options that replace each other: a call that gives one of a group takes none of it from the file.
  ///
  /// An option may be in several groups.
  private static var groups: [Set<String>] {
    [
      ["device", "screen"], ["scenario", "explore"], ["network", "offline"], ["placement", "size", "position", "feed"],
      ["playables", "container"], ["playables", "scenario"], ["playables", "feed"], ["playables", "without-hosts"],
      ["film", "container"], ["film", "scenario"], ["film", "feed"], ["film", "without-hosts"],
    ]
  }
  /// Options that are allowed in a file that Galley found by itself.
  ///
  /// None of them writes files, connects to hosts, or loosens a limit or the sandbox.
  private static var harmless: Set<String> {
    [
      "antialiasing", "at", "clock", "compositing", "consent", "container", "date", "device", "explore", "feed",
      "film", "filmstrip", "filmstrip-length", "idle-time", "ignore", "max-density", "max-pixels", "max-ratio",
      "measure", "measure-time", "metric", "network", "network-profile", "offline", "omid", "orientation", "placement",
      "playables", "position", "profile", "recursive", "renders", "scenario", "screen", "seed", "shift", "size",
      "strict", "threshold", "variant", "window", "without-hosts",
    ]
  }
  /// Options whose values are paths relative to the file's folder.
  private static var paths: Set<String> {
    ["scenario", "feed", "baselines", "out", "html", "junit", "sarif", "ctrf", "har", "pdf"]
  }
  /// Options that only the call itself may give.
  private static var personal: Set<String> { ["policy", "help", "version", "list", "json", "quiet"] }

  private let file: PolicyFile
  private let call: CommandCall<Root>
  /// Words of the call; `added` are those from the file, and `notes` the file's contents that don't apply here.
  private let said: [String]
  private let added: [String]
  private let notes: [String]

  /// Makes the call from its own words and the options of the project file.
  /// - Returns: nil where the file says nothing that the call doesn't.
  init?(_ words: [String], _ command: any ProjectCommand, _ file: PolicyFile) throws(Fault) {
    // Reading a command's options off its help takes longer than all else of a call.
    guard !file.policy.options.isEmpty || !file.policy.devices.isEmpty else { return nil }
    let call = CommandCall<Root>(words)
    let own = CommandCall<Root>.options(of: call.command)
    let given = Self.names(in: words, of: own)
    var (taken, remarks) = ([String](), [String]())
    for option in file.policy.options {
      try Self.check(option, file)
      guard own.contains(where: { $0.long == "--\(option.name)" }), !Self.isSaid(option.name, given) else { continue }
      for value in option.values where value != "false" {
        let words = value == "true" ? "" : try "=" + Self.located(value, option.name, file)
        taken.append("--\(option.name)\(words)")
      }
    }
    let devices = file.policy.devices
    if !devices.isEmpty, !Self.isSaid("device", given + taken.map { String($0.prefix { $0 != "=" }) }) {
      if devices.count == 1 || type(of: command).takesDevices {
        for device in devices { try taken.append("--device=" + Self.located(device, "device", file)) }
      } else {
        remarks.append("it has \(devices.count) devices, and this command takes one: choose one with --device")
      }
    }
    guard !taken.isEmpty || !remarks.isEmpty else { return nil }
    (self.file, self.call, said, added, notes) = (file, call, words, taken, remarks)
  }

  /// Parses the command with all options; errors in the file's options name the file.
  func command() throws -> any ParsableCommand {
    let count = call.names.count
    let words = said.prefix(count) + added + said.dropFirst(count)
    do {
      return try Root.parseAsRoot(Array(words))
    } catch let error where Root.exitCode(for: error) == .validationFailure {
      let fault = CallError<Root>.fault(for: error, in: Array(words))
      throw Fault.request("arguments-invalid", "\(file.name): \(fault.message)")
    }
  }

  /// Line with the options that were taken, and the file's name.
  var line: String {
    ("\(file.name): " + (added.isEmpty ? notes : [added.joined(separator: " ")] + notes).joined(separator: "; "))
      .printable + "\n"
  }

  /// Rejects an option of the file that the call may not take from it.
  /// - Throws: a request's fault for an option that no command has, and for one that is a call's own.
  private static func check(_ option: Policy.Option, _ file: PolicyFile) throws(Fault) {
    let all = CommandCall<Root>.allOptions
    if all.contains("--\(option.name)"), !personal.contains(option.name) {
      guard file.source.source == .found, !isHarmless(option) else { return }
      throw file.refusal("it sets --\(option.name)")
    }
    let reason =
      personal.contains(option.name)
      ? "--\(option.name) isn't allowed in a file: use it on the command line"
      : "no command has the option '\(option.name)'"
        + Suggestion.hint(for: option.name, among: all.map { String($0.dropFirst(2)) })
    throw .request("arguments-invalid", "\(file.name): \(reason)")
  }

  private static func isHarmless(_ option: Policy.Option) -> Bool {
    harmless.contains(option.name) && (option.name != "network" || option.values == ["none"])
  }

  /// Returns the long names of the options in a list of words.
  private static func names(in words: [String], of options: [CommandCall<Root>.Option]) -> [String] {
    words.prefix { $0 != "--" }.compactMap { word in
      let name = String(word.prefix { $0 != "=" })
      if word.hasPrefix("--") { return name }
      guard word.hasPrefix("-"), word.count > 1 else { return nil }
      return options.first { $0.short.map { word.hasPrefix($0) } == true }?.long
    }
  }

  private static func isSaid(_ name: String, _ given: [String]) -> Bool {
    let alike = groups.filter { $0.contains(name) }.reduce(into: Set([name])) { $0.formUnion($1) }
    return given.contains { alike.contains(String($0.drop { $0 == "-" })) }
  }

  /// Returns a path in the file resolved against the file's folder; other values are returned unchanged.
  private static func located(_ value: String, _ option: String, _ file: PolicyFile) throws(Fault) -> String {
    let isPath = paths.contains(option) || value.hasSuffix(".json")
    guard isPath, option != "scenario" || value != ScenarioFile.none else { return value }
    return try file.located(value, "--\(option) \(value)")
  }
}
