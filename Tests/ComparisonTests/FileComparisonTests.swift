import RenderModel
import Testing

@testable import Comparison

/// Files as they were handed in, before and after.
@Suite struct FileComparisonTests {
  private func files(_ files: [String: [String]], whole: Bool = true, document: String = "index.html") -> DeliveredFiles
  {
    let list = files.sorted { $0.key < $1.key }.map { path, addresses in
      DeliveredFiles.File(path: path, sha256: addresses.joined(separator: " "), addresses: addresses)
    }
    return DeliveredFiles(sha256: "\(list)", whole: whole, document: document, files: list)
  }

  @Test func whatNobodyKnowsIsNotCompared() {
    #expect(FileComparison(nil, files([:])) == nil && FileComparison(files([:]), nil) == nil)
  }

  @Test func namesFilesAndAddresses() throws {
    let before = files(["index.html": ["https://a", "https://b", "https://c"], "gone.js": [], "same.css": ["x"]])
    let after = files([
      "index.html": ["https://a", "https://B", "https://c", "https://d"], "come.js": ["y"], "same.css": ["x"],
    ])
    let changes = try #require(FileComparison(before, after)).changes
    #expect(FileComparison.text(changes) == "come.js (new, 1 address), gone.js (missing), index.html (2 addresses)")
    #expect(changes.last?.lines == ["index.html: https://b → https://B", "index.html: none → https://d"])
  }

  @Test func aDocumentHandedInAloneMayHaveAnotherName() throws {
    let before = files(["a.html": ["https://a"], "used.js": ["1"]], whole: false, document: "a.html")
    let same = files(["b.html": ["https://a"], "used.js": ["1"]], whole: false, document: "b.html")
    #expect(FileComparison(before, same)?.changes == [])
    let other = files(["b.html": ["https://b"], "more.js": []], whole: false, document: "b.html")
    #expect(FileComparison(before, other)?.changes.map(\.path) == ["b.html"])
  }

  @Test func whatIsBeyondTheListIsTold() {
    var (before, after) = (files(["index.html": []]), files(["index.html": []]))
    (before.sha256, after.sha256) = ("1", "2")
    #expect(FileComparison(before, after)?.changes.map(\.path) == ["files beyond the list"])
  }

  @Test func aResultOfOtherFilesIsNotTheSame() {
    var result = ResultVerdict(name: "")
    #expect(result.verdict == .same)
    result.files = FileComparison(files(["index.html": ["a"]]), files(["index.html": ["b"]]))
    #expect(result.verdict == .filesChanged)
    result.problems = ["x"]
    #expect(result.verdict == .different)
  }

  @Test func keepsTheFirst() {
    let changes = FileComparison(files(["a": ["1", "2"], "b": ["3", "4"]]), files([:]))?.changes ?? []
    #expect(FileChange.first(3, of: changes).map { $0.addresses?.count } == [2, 1])
    #expect(FileChange.first(1, of: changes).map(\.path) == ["a"])
  }
}
