internal import Bundles
internal import Core
internal import Foundation
internal import Jobs

/// A scenario on disk.
struct ScenarioFile: Hashable {
  /// Where it is.
  let path: String
  /// What failures call it.
  let name: String
  /// The creative's folder for one that lies beside it, which mustn't lead out of there; nil for one the caller named.
  var folder: String?

  /// The scenario that goes with a creative: `scenario.yaml` in its folder, `NAME.scenario.yaml` beside its file.
  static func beside(_ creative: CreativeReference) -> ScenarioFile? {
    guard creative.argument != "-", let path = creative.path else { return nil }
    let candidates = candidates(path, isFolder: isFolder(path))
    let names = Self.candidates(creative.argument, isFolder: isFolder(path))
    return zip(candidates, names).first { FileManager.default.fileExists(atPath: $0.0) }.map {
      ScenarioFile(path: $0.0, name: $0.1, folder: isFolder(path) ? path : SideFile.folder(of: path))
    }
  }

  /// Reads it; every failure is the caller's to mend.
  func read() throws(Fault) -> Scenario {
    guard let text = String(validating: try bytes(), as: UTF8.self) else {
      throw .request("scenario-invalid", "\(name): a scenario is a UTF-8 text file")
    }
    return try ScenarioParser.parse(text, source: name)
  }

  /// A pipe is read where the caller named one; what lies beside a creative is a file in its folder.
  private func bytes() throws(Fault) -> [UInt8] {
    if let folder, !SideFile.isInside(path, folder: folder) {
      throw .request("scenario-invalid", "\(name) leads out of the creative's folder")
    }
    do throws(FileReadingError) {
      guard folder == nil else { return try FileReading.regular(path, most: ScenarioParser.maximumBytes) }
      return try FileReading.named(path, most: ScenarioParser.maximumBytes)
    } catch {
      if case .system = error { throw .request("scenario-missing", "can't read the scenario \(name): \(error)") }
      throw .request("scenario-invalid", "can't read the scenario \(name): \(error)")
    }
  }

  private static func candidates(_ path: String, isFolder: Bool) -> [String] {
    if isFolder { return [path + (path.hasSuffix("/") ? "" : "/") + "scenario.yaml"] }
    let slash = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let (folder, file) = (path[..<slash], path[slash...])
    let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
    return ["\(folder)\(stem).scenario.yaml"] + (file == "index.html" ? ["\(folder)scenario.yaml"] : [])
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
