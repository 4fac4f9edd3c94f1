internal import Foundation
internal import Jobs

/// A scenario on disk.
struct ScenarioFile: Hashable {
  /// Where it is.
  let path: String
  /// What failures call it.
  let name: String

  /// The scenario that goes with a creative: `scenario.yaml` in its folder, `NAME.scenario.yaml` beside its file.
  static func beside(_ creative: CreativeReference) -> ScenarioFile? {
    guard creative.argument != "-", let path = creative.path else { return nil }
    let candidates = candidates(path, isFolder: isFolder(path))
    let names = Self.candidates(creative.argument, isFolder: isFolder(path))
    return zip(candidates, names).first { FileManager.default.fileExists(atPath: $0.0) }.map {
      ScenarioFile(path: $0.0, name: $0.1)
    }
  }

  /// Reads it; every failure is the caller's to mend.
  func read() throws(Fault) -> Scenario {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw .request("scenario-missing", "can't read the scenario \(name)")
    }
    // One byte more than allowed lets the parser refuse a file of any size.
    guard let bytes = try? file.read(upToCount: ScenarioParser.maximumBytes + 1) ?? Data(),
      let text = String(data: bytes, encoding: .utf8)
    else { throw .request("scenario-invalid", "\(name): a scenario is a UTF-8 text file") }
    return try ScenarioParser.parse(text, source: name)
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
