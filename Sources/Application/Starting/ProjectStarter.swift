package import Core
internal import Creatives
internal import Files
internal import FoundationEssentials
package import RenderModel

/// Creates the files of a new project; existing files stay unchanged.
package struct ProjectStarter {
  /// File of the project, with its path as the caller would write it.
  package struct File: Hashable, Sendable {
    package let path: String
    /// Indicates if the file was written by this call; false if it existed.
    package let isNew: Bool
  }

  /// Maximum number of creatives that are tried for a first scenario.
  private static let mostTried = 3

  /// Folder of the creatives, as the caller would write it.
  package let folder: String
  package let creatives: [CreativeReference]

  /// Looks for creatives in a folder, or without one in the working folder, and takes their deepest common folder.
  package init(folder given: String?) throws(Fault) {
    let asked = given.map(Self.trimmed) ?? "."
    guard AbsolutePath.isFolder(asked) else {
      throw .request("folder-missing", "there is no folder \(asked.printable) for the project")
    }
    let found = CreativeFinder.find([asked], recursive: true) { () throws(Fault) in "" }
    creatives = found.compactMap { try? $0.result.get() }.map { creative in
      CreativeReference(
        argument: Self.trimmed(creative.argument), path: creative.path, inner: creative.inner, name: creative.name)
    }
    folder = given == nil ? Self.common(creatives) : asked
  }

  /// Returns the first few creatives for a scenario; none if one of them has its own, whose path is `existing`.
  package func candidates() throws(Fault) -> (creatives: [CreativeReference], existing: String?) {
    // What lies in a zip with others has no file of its own beside it.
    let first = creatives.filter { $0.inner == nil }.prefix(Self.mostTried)
    for creative in first {
      if try OwnScenario.of(creative) != nil { return ([], OwnScenario.place(of: creative)) }
    }
    return (Array(first), nil)
  }

  /// Writes a file unless it exists.
  package func write(_ text: String, to path: String) throws(Fault) -> File {
    guard !FileManager.default.fileExists(atPath: path) else { return File(path: path, isNew: false) }
    do throws(SystemError) {
      try OutputFile.write(text, to: path)
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
    return File(path: path, isNew: true)
  }

  /// Path of the project file beside the creatives, outside of folders that are delivered with one of them.
  package var policy: String {
    var place = folder
    while place != ".", place != "/", DeliveredFolder.holdsCreative(place) {
      place = place.hasSuffix("..") ? place + "/.." : AbsolutePath.split(place).parent
    }
    return place == "." ? StarterPolicy.fileName : "\(place)/\(StarterPolicy.fileName)"
  }

  /// Returns path and text of a CI system's file.
  ///
  /// It lies in the repository, or below the working folder if there is none.
  /// - Throws: `ci-folder-invalid` if the creatives have no folder of their own, or one that can't be written in the
  ///   file.
  package func pipeline(_ system: CISystem) throws(Fault) -> (path: String, text: String) {
    let (here, place) = (AbsolutePath.resolved("."), AbsolutePath.resolved(folder))
    let root = Self.repository(above: place) ?? (place == here || place.hasPrefix(here + "/") ? here : place)
    guard place != root else {
      throw .request(
        "ci-folder-invalid",
        "the creatives are in \(root.printable) itself, where a CI job writes reports: move them to a folder")
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

  /// Returns the deepest folder that contains all creatives.
  private static func common(_ creatives: [CreativeReference]) -> String {
    let folders = creatives.map { creative in
      let file = creative.argument.dropLast(creative.inner.map { $0.count + 1 } ?? 0)
      return file.split(separator: "/").dropLast()
    }
    guard var shared = folders.first else { return "." }
    for folder in folders {
      shared = ArraySlice(zip(shared, folder).prefix { $0 == $1 }.map(\.0))
    }
    return shared.isEmpty ? "." : shared.joined(separator: "/")
  }

  /// Returns the path without a leading `./` and trailing slashes.
  private static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.hasPrefix("./"), path.count > 2 { path = path.dropFirst(2) }
    while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
    return String(path)
  }
}
