package import Core
package import RenderModel

/// Scenario delivered with a creative, and the only rule for its place, which applies to every caller.
///
/// It is `scenario.yaml` in a folder, in a zip's folder with the page, or beside an `index.html`; or
/// `NAME.scenario.yaml` beside the file `NAME.html` or `NAME.zip`, which takes precedence.
package enum OwnScenario {
  /// Name of the file in a folder or zip.
  package static let fileName = "scenario.yaml"

  /// Returns the path for writing a creative's scenario, as the caller would name it; an address's is in the working
  /// folder.
  package static func place(of creative: CreativeReference) -> String {
    guard let path = creative.path, creative.argument != "-" else { return fileName }
    if AbsolutePath.isFolder(path) { return joined(creative.argument, fileName) }
    let name = "\(AbsolutePath.stem(path).stem).\(fileName)"
    let isBeside = creative.argument.utf8.contains(UInt8(ascii: "/"))
    return isBeside ? joined(AbsolutePath.split(creative.argument).parent, name) : name
  }

  /// Reads it; nil if there is none, and for addresses and standard input, which have no files beside them.
  /// - Throws: the problem with it, under the name by which the caller knows it.
  package static func of(_ creative: CreativeReference) throws(Fault) -> Scenario? {
    guard creative.argument != "-", let path = creative.path else { return nil }
    if try FileStatus.of(path) == .folder {
      return try read(fileName, in: path, of: joined(creative.argument, fileName))
    }
    // What lies beside a zip is for a zip that is one creative.
    guard creative.inner == nil else { return try inArchive(creative, path) }
    let (folder, name) = AbsolutePath.split(path)
    let stem = AbsolutePath.stem(path)
    let (written, _) = AbsolutePath.split(creative.argument)
    for candidate in ["\(stem.stem).\(fileName)"] + (name == "index.html" ? [fileName] : []) {
      let shown = creative.argument.utf8.contains(UInt8(ascii: "/")) ? joined(written, candidate) : candidate
      if let scenario = try read(candidate, in: folder, of: shown) { return scenario }
    }
    return try inArchive(creative, path)
  }

  /// Reads a file; nil if there is none. One that isn't a file of the folder is an error, as it was meant to be used.
  private static func read(_ name: String, in folder: String, of shown: String) throws(Fault) -> Scenario? {
    let store = try FolderStore(root: folder)
    guard let path = store.locate([name]) else {
      guard (try? FileStatus.of(store.path(to: [name]))) == nil else {
        throw .request("scenario-invalid", "\(shown): a creative's own scenario must be a file in its folder")
      }
      return nil
    }
    let file = try OpenFile(path: path, name: shown)
    // One byte more than allowed lets the parser refuse a file of any size.
    return try parse(try file.head(ScenarioParser.maximumBytes + 1), shown)
  }

  private static func inArchive(_ creative: CreativeReference, _ path: String) throws(Fault) -> Scenario? {
    let file = try OpenFile(path: path, name: creative.argument)
    guard try FileForm.of(file) == .zip else { return nil }
    let archive = try ZipArchive(file, limits: .standard)
    let layout = try ZipLayout(archive, inner: creative.inner, of: file.name)
    guard let entry = archive.entry(layout.prefix + fileName) else { return nil }
    let zip = creative.inner.map { String(creative.argument.dropLast($0.count + 1)) } ?? creative.argument
    let shown = joined(zip, layout.prefix + fileName)
    guard entry.size <= ScenarioParser.maximumBytes else {
      throw .request("scenario-invalid", "\(shown): a scenario has at most \(ScenarioParser.maximumBytes) bytes")
    }
    return try parse(try archive.bytes(of: entry), shown)
  }

  private static func parse(_ bytes: [UInt8], _ shown: String) throws(Fault) -> Scenario {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .request("scenario-invalid", "\(shown): a scenario must be a UTF-8 text file")
    }
    var scenario = try ScenarioParser.parse(text, source: shown)
    scenario.comesWithCreative = true
    return scenario
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }
}
