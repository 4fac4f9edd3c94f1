import Feed
import Testing

@Suite struct ContentModelTests {
  private func model(_ letters: String) -> ContentModel {
    var model = ContentModel()
    for letter in letters { model.register(ContentType(rawValue: String(letter)), at: model.count) }
    return model
  }

  @Test func `slots keep their order, and what is put between moves the rest down`() {
    var model = model("pp")
    model.register(.ad, at: 1)
    #expect((0..<3).map { model.type(at: $0).rawValue } == ["p", "ad", "p"])
    #expect(model.count == 3)
  }

  @Test func `a copy that is changed leaves the other as it was`() {
    let before = model("pp")
    var after = before
    after.register(.ad, at: 0)
    #expect(before.count == 2 && after.count == 3)
    #expect(before.type(at: 0).rawValue == "p")
  }

  @Test(arguments: ["", "p", "ppap", "apppnppapps", "aaaa"])
  func `relative indexes lead back to their positions`(letters: String) {
    let model = model(letters)
    for position in 0..<model.count {
      let type = model.type(at: position)
      #expect(model.position(of: type, relativeIndex: model.relativeIndex(at: position)) == position)
    }
    for letter in Set(letters) {
      let type = ContentType(rawValue: String(letter))
      #expect(model.positions(of: type).map { model.relativeIndex(at: $0) } == Array(0..<model.count(of: type)))
      #expect(model.position(of: type, relativeIndex: model.count(of: type)) == nil)
    }
  }

  @Test func `the place after so many of a kind is after the last of them, whatever stands between`() {
    let model = model("papap")
    #expect(model.position(afterCount: 0, of: ContentType(rawValue: "p")) == 0)
    #expect(model.position(afterCount: 2, of: ContentType(rawValue: "p")) == 3)
    #expect(model.position(afterCount: 4, of: ContentType(rawValue: "p")) == nil)
  }
}
