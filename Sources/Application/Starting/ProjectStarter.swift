package import Core
internal import Creatives
internal import Files
internal import FoundationEssentials
package import RenderModel

/// The places of a new project's files; what is there already stays as it is.
package struct ProjectStarter {
  /// A file of the project, as the caller would write its path.
  package struct File: Hashable, Sendable {
    package let path: String
    /// Whether it was written just now; else it was there.
    package let isNew: Bool
  }

  /// Creatives that a first scenario is looked for in.
  private static let mostTried = 3

  /// The folder of the creatives, as the caller would write it.
  package let folder: String
  package let creatives: [CreativeReference]

  /// Looks for creatives in a folder; without one, in the working folder, and takes the folder that holds them all.
  package init(folder given: String?) throws(Fault) {
    let asked = given.map(Self.trimmed) ?? "."
    guard AbsolutePath.isFolder(asked) else {
      throw .request("folder-missing", "there is no folder \(asked.printable) to begin a project in")
    }
    let found = CreativeFinder.find([asked], recursive: true) { () throws(Fault) in "" }
    creatives = found.compactMap { try? $0.result.get() }.map { creative in
      CreativeReference(argument: Self.trimmed(creative.argument), path: creative.path, name: creative.name)
    }
    folder = given == nil ? Self.common(creatives) : asked
  }

  /// The first few creatives, for a scenario; none where one of them has its own, which is told.
  package func candidates() throws(Fault) -> (creatives: [CreativeReference], existing: String?) {
    let first = creatives.prefix(Self.mostTried)
    for creative in first {
      if try OwnScenario.of(creative) != nil { return ([], OwnScenario.place(of: creative)) }
    }
    return (Array(first), nil)
  }

  /// Writes a file unless something is there.
  package func write(_ text: String, to path: String) throws(Fault) -> File {
    guard !FileManager.default.fileExists(atPath: path) else { return File(path: path, isNew: false) }
    do throws(SystemError) {
      try OutputFile.write(text, to: path)
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
    return File(path: path, isNew: true)
  }

  /// The project's own file, beside the creatives.
  package var policy: String { folder == "." ? StarterPolicy.fileName : "\(folder)/\(StarterPolicy.fileName)" }

  /// A CI system's file in the repository, or below the working folder where there is none: its path and its text.
  /// - Throws: `ci-folder-invalid` where the creatives have no folder of their own, or one that can't be written there.
  package func pipeline(_ system: CISystem) throws(Fault) -> (path: String, text: String) {
    let (here, place) = (AbsolutePath.resolved("."), AbsolutePath.resolved(folder))
    let root = Self.repository(above: place) ?? (place == here || place.hasPrefix(here + "/") ? here : place)
    guard place != root else {
      throw .request(
        "ci-folder-invalid",
        "the creatives lie in \(root.printable) itself, where a job's reports would be among them: give them a folder")
    }
    let text = try system.text(creatives: String(place.dropFirst(root == "/" ? 1 : root.count + 1)))
    return (root == here ? system.path : "\(root)/\(system.path)", text)
  }

  private static func repository(above folder: String) -> String? {
    var folder = folder
    while folder != "/" {
      if FileManager.default.fileExists(atPath: folder + "/.git") { return folder }
      folder = AbsolutePath.split(folder).parent
    }
    return nil
  }

  /// The deepest folder that all creatives lie in.
  private static func common(_ creatives: [CreativeReference]) -> String {
    let folders = creatives.map { $0.argument.split(separator: "/").dropLast() }
    guard var shared = folders.first else { return "." }
    for folder in folders {
      shared = ArraySlice(zip(shared, folder).prefix { $0 == $1 }.map(\.0))
    }
    return shared.isEmpty ? "." : shared.joined(separator: "/")
  }

  /// Without what a path may begin or end with and mean the same.
  private static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.hasPrefix("./"), path.count > 2 { path = path.dropFirst(2) }
    while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
    return String(path)
  }
}
