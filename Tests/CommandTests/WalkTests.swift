import Foundation
import Testing

/// The walks of docs/develop/walks.md, which name files and functions.
@Suite struct WalkTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A diagram: the files by their participants' names, and who calls what.
  struct Walk: Sendable {
    var title: String
    var text = ""
    var files: [String: String] = [:]
    var calls: [(file: String, function: String)] = []
  }

  private static func walks() throws -> [Walk] {
    let text = try String(contentsOf: root.appending(path: "docs/develop/walks.md"), encoding: .utf8)
    var walks: [Walk] = []
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("## ") { walks.append(Walk(title: line)) }
      guard !walks.isEmpty else { continue }
      let last = walks.count - 1
      walks[last].text += line + "\n"
      if let match = line.wholeMatch(of: /[ ]+participant (\w+) as (\S+)/) {
        walks[last].files[String(match.1)] = String(match.2)
      } else if let match = line.wholeMatch(of: /[ ]+\w+->>(\w+): (\w+)/) {
        let file = try #require(walks[last].files[String(match.1)], "\(line) calls nobody that is named")
        walks[last].calls.append((file, String(match.2)))
      }
    }
    return walks
  }

  @Test func everyFileAndFunctionOfTheWalksExists() throws {
    let walks = try Self.walks()
    #expect(walks.count == 2)
    for walk in walks {
      #expect(walk.calls.count > 20)
      for (file, function) in walk.calls {
        let source = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
        let isThere = try source.contains(Regex("\\b(func|function|let) \(function)\\b"))
        #expect(isThere, "\(walk.title): \(file) has no \(function)")
      }
    }
  }

  @Test func everyWalkSaysHowManyHopsItHas() throws {
    for walk in try Self.walks() {
      let saysSo = walk.text.contains("\n\(walk.calls.count) hops ")
      #expect(saysSo, "\(walk.title) has \(walk.calls.count) hops")
    }
  }
}
