internal import Core
internal import RenderModel

/// Files that networks take a playable in.
enum PlayablePackageChecks {
  static let all: [Check] = [shape, config, loadTime]

  /// Maximum number of files that one finding each is made for.
  private static let mostFiles = 10

  static let shape = Check(
    "package-shape", family: .requests, severity: .error, title: "Package that the network refuses",
    why: "Networks read the package by program, and refuse one with missing, misplaced or misnamed files.",
    remedy: "Pack the files as the finding says; zip the files themselves, not the folder around them.",
    source: .playturbo, needs: [.files], needsProfile: true
  ) { context in
    let groups = context.ruleGroups(for: "package-shape")
    guard !groups.isEmpty, let inventory = context.inventory, ["html", "folder", "zip"].contains(inventory.kind) else {
      return nil
    }
    return groups.flatMap { group in
      let kind = wrongKind(group, inventory)
      return kind.isEmpty ? missingFiles(group, inventory) + wrongPaths(group, inventory) : kind
    }
  }

  static let config = Check(
    "package-config", family: .requests, severity: .error, title: "Wrong config.json",
    why: "The network reads from config.json how to show the ad, and refuses a file that it can't read.",
    remedy: "Write a JSON object with the named members and values into config.json, beside the document.",
    source: .tikTokPangle, needs: [.files], needsProfile: true
  ) { context in
    let groups = context.ruleGroups(for: "package-config")
    guard !groups.isEmpty, let inventory = context.inventory, inventory.isWhole else { return nil }
    let read = groups.compactMap { group in Config(group, inventory).map { (group: group, config: $0) } }
    return read.isEmpty ? nil : unreadable(read) + read.flatMap { memberIssues($0.group, $0.config) }
  }

  static let loadTime = Check.limit(
    "load-time", family: .requests, unit: .seconds, title: "Time to load",
    why: "The network shows the ad only when it has loaded, and gives up on one that takes longer.",
    remedy: "Load less at first: smaller images and sounds, and later levels after the first one began.",
    source: .ironSourceInteractive, needs: .rendered.union([.loadTime])
  ) { context in
    context.load.first { $0.kind == .windowLoad }?.t.map { [Check.Reading($0 / 1000, what: "loading")] }
  }

  private static func wrongKind(_ group: RuleGroup, _ inventory: Inventory) -> [CheckIssue] {
    guard let packages = group.rule.packages, !packages.contains(inventory.packageKind) else { return [] }
    let taken = packages.map { $0 == "zip" ? "a zip" : "a single HTML file" }.joined(separator: " or ")
    let given = inventory.kind == "html" ? "a single HTML file" : "a \(inventory.kind)"
    return [
      group.signed(CheckIssue("the ad is \(given), not \(taken), needed by \(group.names)", subject: "package"))
    ]
  }

  /// Returns an issue for each file that the package must contain, and that isn't there under any of its names.
  private static func missingFiles(_ group: RuleGroup, _ inventory: Inventory) -> [CheckIssue] {
    guard inventory.isWhole else { return [] }
    let paths = Set(inventory.files.map(\.path))
    return (group.rule.files ?? []).compactMap { wanted in
      let names = inventory.names(for: wanted)
      guard !names.contains(where: paths.contains) else { return nil }
      let deep = inventory.files.first { file in names.contains { file.path.hasSuffix("/\($0)") } }
      let found = deep.map { "; \($0.path) lies in a folder" } ?? ""
      return group.signed(
        CheckIssue(
          "the package has no \(names.joined(separator: " or ")), needed by \(group.names)\(found)", subject: wanted))
    }
  }

  /// Returns issues for files whose names have other characters than allowed, or that lie in too many folders.
  private static func wrongPaths(_ group: RuleGroup, _ inventory: Inventory) -> [CheckIssue] {
    guard inventory.isWhole else { return [] }
    return inventory.files.compactMap { file -> CheckIssue? in
      let parts = file.path.split(separator: "/")
      if let depth = group.rule.depth, parts.count - 1 > depth {
        let place = depth == 0 ? "in a folder" : "in more than \(depth) folders, one in another"
        return CheckIssue("\(file.path) lies \(place), refused by \(group.names)", subject: file.path)
      }
      guard let names = group.rule.names, !parts.allSatisfy({ names.allow($0.withoutEnding) }) else { return nil }
      let allowed = names == .word ? "letters, digits and underscores" : "characters of ASCII"
      return CheckIssue(
        "\(file.path) has a name of other characters than \(allowed), refused by \(group.names)", subject: file.path)
    }.prefix(mostFiles).map(group.signed)
  }

  /// JSON file of the package that a rule is about.
  private struct Config {
    let path: String
    /// Nil if the file isn't a JSON object.
    let object: JSONValue?

    /// Reads the file; nil if there is none, which the package's shape tells.
    init?(_ group: RuleGroup, _ inventory: Inventory) {
      let path = group.rule.files?.first ?? "config.json"
      guard let file = inventory.files.first(where: { $0.path == path }), let text = file.names ?? file.text else {
        return nil
      }
      let value = JSONText.value(Array(text.utf8))
      self.path = path
      object = value?.object == nil ? nil : value
    }
  }

  /// Returns one issue for each file that isn't a JSON object, with the profiles of all rules about it.
  private static func unreadable(_ read: [(group: RuleGroup, config: Config)]) -> [CheckIssue] {
    var issues: [CheckIssue] = []
    for (group, config) in read where config.object == nil {
      guard let known = issues.firstIndex(where: { $0.subject == config.path }) else {
        let place = Finding.Place(file: config.path)
        issues.append(
          group.signed(CheckIssue("\(config.path) isn't a JSON object", subject: config.path, place: place)))
        continue
      }
      let named = issues[known].profiles
      issues[known].profiles = named + group.profiles.filter { !named.contains($0) }
      issues[known].severity = max(issues[known].severity ?? group.severity, group.severity)
    }
    return issues
  }

  /// Returns an issue for each member of a readable file that is missing or has another value.
  private static func memberIssues(_ group: RuleGroup, _ config: Config) -> [CheckIssue] {
    guard let value = config.object else { return [] }
    let path = config.path
    return (group.rule.members ?? [:]).sorted { $0.key < $1.key }.compactMap { member, allowed in
      let found = value[member]
      guard found == nil || !(allowed.isEmpty || allowed.contains { $0 == found }) else { return nil }
      let wanted = allowed.isEmpty ? "" : ": \(allowed.map(\.plain).joined(separator: ", "))"
      let said = found.map { "\(member) is \($0.plain.cut(to: 80))" } ?? "\(member) is missing"
      return group.signed(
        CheckIssue(
          "\(said) in \(path), but \(group.names) reads it\(wanted)", subject: member, place: Finding.Place(file: path))
      )
    }
  }
}

extension Inventory {
  /// Returns the paths of which a network's package must have one or more, by the rules of its profile.
  func demanded(by profile: Profile) -> [String] {
    profile.rules.filter { $0.check == PlayablePackageChecks.shape.id }.flatMap { $0.files ?? [] }.flatMap(names)
  }

  /// Returns the paths that a rule's `files` means by one element.
  fileprivate func names(for wanted: String) -> [String] {
    // Name of the delivered file or folder, without the ending of a zip.
    let name = kind == "zip" ? String(name[...].withoutEnding) : name
    return wanted.replacing("{name}", with: name).split(separator: "|").map(String.init)
  }
}

extension Substring {
  /// Name without its last ending, as `index` for `index.html`.
  fileprivate var withoutEnding: Substring { lastIndex(of: ".").map { self[..<$0] } ?? self }
}
