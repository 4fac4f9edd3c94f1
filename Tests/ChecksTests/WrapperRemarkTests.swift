import Core
import RenderModel
import Testing

@testable import Checks

@Suite("Remarks on a chain of answers")
struct WrapperRemarkTests {
  @Test("name the document that they are in, the same remark once for each")
  func documents() throws {
    let remark: JSONValue = ["line": 3, "message": "<Ad> has no id"]
    let other: JSONValue = ["line": 3, "message": "<Ad> has no id", "url": "https://a.example/hop.xml?x=1"]
    let context = CheckContext.made([event(.vast, "flaw", remark), event(.vast, "flaw", other)])
    let check = try #require(Check.named("vast-flaw"))
    #expect(
      try check.judge(context)?.map(\.message)
        == ["line 3: <Ad> has no id", "https://a.example/hop.xml, line 3: <Ad> has no id"])
  }
}
