internal import Bundles
internal import Conformance
internal import Core
internal import Foundation
internal import Jobs
internal import Stage
internal import Workers

/// The folder with the suite's creatives, their scenarios and devices.
struct SuiteFolder: Sendable {
  /// Where it is in a checkout of Galley.
  static let standard = "Creatives/conformance"
  /// The device of creatives that ask for no other.
  static let usualDevice = "devices/phone.json"

  let path: String

  /// The folder given, else the standard one above this program, or else above the working directory.
  static func find(_ given: String?, program: String = Executables.own) throws(Fault) -> SuiteFolder {
    let here = FileManager.default.currentDirectoryPath
    if let given {
      let path = given.hasPrefix("/") ? given : here + "/" + given
      guard isFolder(path) else { throw .request("no-such-suite", "there is no folder \(given)") }
      return SuiteFolder(path: path)
    }
    for start in [program, here] {
      for folder in parents(of: start) where isFolder(folder + "/" + standard) {
        return SuiteFolder(path: folder + "/" + standard)
      }
    }
    throw .request(
      "no-such-suite", "there is no \(standard) above this program or above \(here); name the folder with --suite")
  }

  /// Every creative that tests a rule, by section and name.
  func cases() throws(Fault) -> [ConformanceCase] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".html") }
    var cases: [ConformanceCase] = []
    for name in names.sorted().map({ String($0.dropLast(5)) }) {
      let page: [UInt8]
      do throws(FileReadingError) {
        page = try FileReading.regular("\(path)/\(name).html", most: 16 << 20)
      } catch {
        throw .request("not-readable", "\(name).html of the suite can't be read: \(error)")
      }
      let scenario = try OwnScenario.of(reference(name))
      if let found = try ConformanceCase(name: name, page: page, scenario: scenario) { cases.append(found) }
    }
    guard !cases.isEmpty else { throw .request("suite-empty", "no creative in \(path) says which rule it tests") }
    return cases.sorted { ($0.section.rawValue, $0.name) < ($1.section.rawValue, $1.name) }
  }

  /// The creative as a job names it.
  func reference(_ name: String) -> CreativeReference {
    CreativeReference(argument: "\(name).html", path: "\(path)/\(name).html", name: name)
  }

  /// The device that a case asks for.
  func device(of subject: ConformanceCase) throws(Fault) -> Device {
    try DeviceFile.read("\(path)/\(subject.device ?? Self.usualDevice)")
  }

  private static func parents(of path: String) -> [String] {
    var folders: [String] = []
    var rest = path[...]
    while !rest.isEmpty {
      folders.append(String(rest))
      rest = rest[..<(rest.lastIndex(of: "/") ?? rest.startIndex)]
    }
    return folders
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
