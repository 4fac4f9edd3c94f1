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
