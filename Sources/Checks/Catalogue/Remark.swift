/// What a check says is wrong, before it is signed with the check's id and weighed.
package struct Remark: Hashable, Sendable {
  /// One line, with the names and numbers of this creative.
  package var message: String
  /// What tells it from the check's other remarks and stays the same from run to run: a method, a file, a selector.
  package var subject: String
  /// The profiles whose limit it breaks; empty when it is everybody's.
  package var profiles: [String] = []
  /// What it weighs when it isn't what the check's findings usually do.
  package var severity: Severity?
  package var place: Finding.Place?
  package var measure: Finding.Measure?
  /// The `seq` of the event that shows it, in the render's own log.
  package var event: Int?
  /// The picture of the moment.
  package var screenshot: String?

  /// `subject` is empty where a check has one thing to say at most.
  package init(
    _ message: String, subject: String = "", place: Finding.Place? = nil, measure: Finding.Measure? = nil,
    event: Int? = nil, screenshot: String? = nil
  ) {
    self.message = message
    self.subject = subject
    self.place = place
    self.measure = measure
    self.event = event
    self.screenshot = screenshot
  }
}
