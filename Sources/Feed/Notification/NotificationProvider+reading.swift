package import Jobs

extension NotificationProvider {
  /// The feed file's `notification` section.
  package init(_ section: YAMLNode) throws(Fault) {
    let members = try section.members(of: "notification", allowed: ["kinds", "title", "text", "button", "again"])
    guard let kinds = members["kinds"] else { throw section.fault("notification needs kinds: [subscriptions]") }
    guard let title = members["title"] else { throw section.fault("notification needs a title") }
    var rules = NotificationRules(kinds: try kinds.texts("kinds"))
    if let again = try members["again"]?.members(of: "again", allowed: ["days", "launches"]) {
      rules.days = try again["days"]?.number("days", in: 0...10_000) ?? rules.days
      rules.launches = try again["launches"]?.wholeNumber("launches", in: 1...10_000) ?? rules.launches
    }
    self.init(
      rules: rules,
      notification: AppNotification(
        title: try title.word("title"), text: try members["text"]?.word("text") ?? "",
        button: try members["button"]?.word("button") ?? "Turn on"))
  }
}
