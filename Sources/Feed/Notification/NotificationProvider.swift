extension ContentType {
  package static let notification = ContentType(rawValue: "notification")
}

/// Puts a notification second, but never last, when it is due.
package struct NotificationProvider: ContentProvider {
  private let rules: NotificationRules
  private let notification: AppNotification

  package init(rules: NotificationRules, notification: AppNotification) {
    self.rules = rules
    self.notification = notification
  }

  package var type: ContentType { .notification }

  package func enrich(_ model: inout ContentModel, in situation: FeedSituation) -> [FeedDecision] {
    let (isDue, reason) = rules.verdict(in: situation)
    guard isDue else { return [FeedDecision(.notification, at: nil, reason)] }
    guard model.count >= 2 else {
      return [FeedDecision(.notification, at: nil, "second of \(model.count + 1) would be last")]
    }
    model.register(.notification, at: 1)
    return [FeedDecision(.notification, at: 1, reason)]
  }

  package func item(at relativeIndex: Int) -> any ContentItem { notification }
}
