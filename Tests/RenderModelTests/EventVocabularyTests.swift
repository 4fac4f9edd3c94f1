import Foundation
import RenderModel
import Testing

/// Event names that a scenario may use.
@Suite struct EventVocabularyTests {
  @Test(arguments: [
    "ready", "mraid/error", "page/console", "creative/getState", "vast/progress", "host/settled", "feed/adLost",
    "simid/messageOfItsOwn",
  ]) func takesWhatCanBeLogged(name: String) { #expect(EventVocabulary.problem(with: name) == nil) }

  @Test(arguments: ["stateChnage", "mraid/eror", "adDidExpnd", "never", "mraid/console", "nobody/ready", "a b", ""])
  func refusesWhatCannot(name: String) { #expect(EventVocabulary.problem(with: name) != nil) }

  /// Checks that every name in the first column of the tables of events is known.
  @Test func hasEveryDocumentedName() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Schemas/README.md"), encoding: .utf8)
    var (source, count) = (Event.Source?.none, 0)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#") {
        source =
          line.hasPrefix("### ")
          ? line.dropFirst(4).split(separator: ":").first.flatMap { Event.Source(rawValue: String($0)) } : nil
      }
      guard let source, source != .creative, line.hasPrefix("| `") else { continue }
      let column = line.split(separator: "|")[0]
      for part in column.split(separator: "`").map(String.init) where part.allSatisfy(\.isLetter) {
        #expect(EventVocabulary.names(of: source).contains(part), "\(source)/\(part)")
        count += 1
      }
    }
    #expect(count > 100)
  }
}
