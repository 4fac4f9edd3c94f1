package import ArgumentParser
internal import Application
internal import Checks
internal import Core

/// A command that takes what its call leaves open from the project's file.
package protocol ProjectCommand: ParsableCommand {
  /// Whether it goes through several devices.
  static var takesDevices: Bool { get }
  /// What the file may lie beside, as the caller wrote it.
  var subjects: [String] { get }
  /// The file that the call names.
  var projectFile: String? { get }
}

/// A call with the options of its project's file put into it.
struct ProjectCall<Root: ParsableCommand> {
  /// What stands for what: who names one of them has said all of it.
  private static var groups: [Set<String>] {
    [["device", "screen"], ["scenario", "explore"], ["network", "offline"], ["placement", "size", "position", "feed"]]
  }
  /// Options whose values are paths, which start from the file's folder.
  private static var paths: Set<String> {
    ["scenario", "feed", "baselines", "out", "html", "junit", "sarif", "ctrf", "har", "pdf"]
  }
  /// What only a call itself can say.
  private static var personal: Set<String> { ["policy", "help", "version", "list", "json", "quiet"] }

  private let file: PolicyFile
  private let call: CommandCall<Root>
  /// The call's own words, then those from the file, and what the file's can't say here.
  private let said: [String]
  private let added: [String]
  private let notes: [String]

  /// - Returns: nil where no file says anything that the call doesn't.
  init?(_ words: [String], _ command: any ParsableCommand) throws(Fault) {
    guard let command = command as? any ProjectCommand else { return nil }
    let file = try PolicyFile(named: command.projectFile, creatives: command.subjects)
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
        taken.append(value == "true" ? "--\(option.name)" : "--\(option.name)=\(Self.located(value, option.name, file))")
      }
    }
    let devices = file.policy.devices
    if !devices.isEmpty, !Self.isSaid("device", given + taken.map { String($0.prefix { $0 != "=" }) }) {
      if devices.count == 1 || type(of: command).takesDevices {
        taken += devices.map { "--device=\(Self.located($0, "device", file))" }
      } else {
        remarks.append("it has \(devices.count) devices, and this command takes one: --device says which")
      }
    }
    guard !taken.isEmpty || !remarks.isEmpty else { return nil }
    (self.file, self.call, said, added, notes) = (file, call, words, taken, remarks)
  }

  /// The command as the whole call has it; what is wrong with the file's words is told of the file.
  func command() throws -> any ParsableCommand {
    let count = call.names.count
    let words = said.prefix(count) + added + said.dropFirst(count)
    do {
      return try Root.parseAsRoot(Array(words))
    } catch where Root.exitCode(for: error) == .validationFailure {
      let fault = CallError<Root>.fault(for: error, in: Array(words))
      throw Fault.request("arguments-invalid", "\(file.name): \(fault.message)")
    }
  }

  /// Which options were taken from where; nil where the call wants none of that.
  var line: String? {
    guard !said.contains(where: { ["--json", "--quiet", "-q"].contains($0) }) else { return nil }
    return ("\(file.name): " + (added.isEmpty ? notes : [added.joined(separator: " ")] + notes).joined(separator: "; "))
      .printable + "\n"
  }

  /// - Throws: a request's fault for an option that no command has, and for one that is a call's own.
  private static func check(_ option: Policy.Option, _ file: PolicyFile) throws(Fault) {
    let all = CommandCall<Root>.allOptions
    if all.contains("--\(option.name)"), !personal.contains(option.name) { return }
    let reason =
      personal.contains(option.name)
      ? "only a call itself says --\(option.name)"
      : "no command has the option '\(option.name)'"
        + Suggestion.hint(for: option.name, among: all.map { String($0.dropFirst(2)) })
    throw .request("arguments-invalid", "\(file.name): \(reason)")
  }

  /// The long names of the options that words say.
  private static func names(in words: [String], of options: [CommandCall<Root>.Option]) -> [String] {
    words.prefix { $0 != "--" }.compactMap { word in
      let name = String(word.prefix { $0 != "=" })
      if word.hasPrefix("--") { return name }
      guard word.hasPrefix("-"), word.count > 1 else { return nil }
      return options.first { $0.short.map { word.hasPrefix($0) } == true }?.long
    }
  }

  private static func isSaid(_ name: String, _ given: [String]) -> Bool {
    let alike = groups.first { $0.contains(name) } ?? [name]
    return given.contains { alike.contains(String($0.drop { $0 == "-" })) }
  }

  /// A path of the file's as one from here.
  private static func located(_ value: String, _ option: String, _ file: PolicyFile) -> String {
    guard paths.contains(option) || value.hasSuffix(".json"), !value.hasPrefix("/") else { return value }
    return "\(file.folder)/\(value)"
  }
}
