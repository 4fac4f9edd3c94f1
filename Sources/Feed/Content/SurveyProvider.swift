package import Core
package import RenderModel

extension ContentType {
  package static let survey = ContentType(rawValue: "survey")
}

/// Question to the reader.
package struct Survey: ContentItem, Hashable {
  package var id: String { "survey" }
  package var question: String
  package var answers: [String]
}

/// Places a survey after a number of posts; if an ad is there, after the ad.
package struct SurveyProvider: ContentProvider {
  private let survey: Survey
  private let after: Int

  package var type: ContentType { .survey }

  /// Reads the feed file's `survey` section.
  package init(_ section: YAMLNode) throws(Fault) {
    let members = try section.members(of: "survey", allowed: ["after", "question", "answers"])
    guard let question = members["question"] else { throw section.fault("survey needs a question") }
    after = try members["after"]?.wholeNumber("after", in: 1...10_000) ?? 2
    survey = Survey(
      question: try question.string("question"), answers: try members["answers"]?.texts("answers") ?? ["Yes", "No"])
  }

  package func enrich(_ model: inout ContentModel, in context: FeedContext) -> [FeedDecision] {
    guard var position = model.position(afterCount: after, of: .post) else {
      return [FeedDecision(.survey, at: nil, "needs \(after) posts, and there are \(model.count(of: .post))")]
    }
    let meetsAd = position < model.count && model.type(at: position) == .ad
    if meetsAd { position += 1 }
    model.register(.survey, at: position)
    return [FeedDecision(.survey, at: position, "after \(after) posts\(meetsAd ? " and the ad there" : "")")]
  }

  package func item(at relativeIndex: Int) -> any ContentItem { survey }
}

/// Draws a survey: the question, and a button for each answer.
package struct SurveyCellFactory: CellFactory {
  package init() {}

  package func accepts(_ item: any ContentItem) -> Bool { item is Survey }

  package func cell(for item: any ContentItem) -> FeedCell {
    guard let survey = item as? Survey else { return FeedCell(id: item.id, type: .survey, markup: "") }
    let answers = survey.answers.map { answer -> Markup in "<button class=\"answer\">\(answer)</button>" }
    return FeedCell(
      id: survey.id, type: .survey, markup: "<h2>\(survey.question)</h2>\(Markup(joining: answers))")
  }
}
