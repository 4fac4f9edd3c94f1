package import Core
package import RenderModel

extension ContentType {
  package static let notification = ContentType(rawValue: "notification")
}

/// Places a notification second, but never last, when it is due.
package struct NotificationProvider: ContentProvider {
  private let rules: NotificationRules
  private let notification: AppNotification

  package init(rules: NotificationRules, notification: AppNotification) {
    self.rules = rules
    self.notification = notification
  }

  package var type: ContentType { .notification }

  package func enrich(_ model: inout ContentModel, in context: FeedContext) -> [FeedDecision] {
    let (isDue, reason) = rules.verdict(in: context)
    guard isDue else { return [FeedDecision(.notification, at: nil, reason)] }
    guard model.count >= 2 else {
      return [FeedDecision(.notification, at: nil, "second of \(model.count + 1) would be last")]
    }
    model.register(.notification, at: 1)
    return [FeedDecision(.notification, at: 1, reason)]
  }

  package func item(at relativeIndex: Int) -> any ContentItem { notification }
}

extension NotificationProvider {
  /// Reads the feed file's `notification` section.
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

/// Rules for showing the notification.
package struct NotificationRules: Hashable, Sendable {
  /// Kinds of feeds that may have it.
  private var kinds: [String]
  /// Days after which a notification that was scrolled past is shown again.
  package var days: Double
  /// Launches after which it is shown again, if they come before the days.
  package var launches: Int

  /// Creates the default rules: again after five days or twenty launches.
  package init(kinds: [String], days: Double = 5, launches: Int = 20) {
    self.kinds = kinds
    self.days = days
    self.launches = launches
  }

  /// Decides if the notification is due in this context, with the reason.
  package func verdict(in context: FeedContext) -> (isDue: Bool, reason: String) {
    let history = context.history
    guard kinds.contains(context.kind) else {
      return (false, "a feed of the kind \(context.kind) has none; \(kinds.joined(separator: ", ")) have")
    }
    if history.isRegistered { return (false, "the person has registered") }
    guard let last = history.encounter else { return (true, "the person hasn't met it yet") }
    let isSameLaunch = last.launch == history.launches
    switch last.outcome {
    case .ignored where isSameLaunch: return (true, "it came up in this launch")
    case .ignored: return afterIgnoring(last, history)
    case .dismissed:
      let isNew = last.version != history.version
      return (
        isNew, isNew ? "dismissed in \(last.version), and this is \(history.version)" : "dismissed in this version"
      )
    case .followed:
      return (
        !isSameLaunch, isSameLaunch ? "taken up in this launch" : "taken up without registering, a launch ago or more"
      )
    }
  }

  private func afterIgnoring(_ last: NotificationRecord, _ history: FeedHistory) -> (Bool, String) {
    let days = history.day - last.day
    let starts = history.launches - last.launch
    if days >= self.days { return (true, "scrolled past \(days.plain) days ago, which is \(self.days.plain) or more") }
    if starts >= launches { return (true, "scrolled past \(starts) launches ago, which is \(launches) or more") }
    return (
      false, "scrolled past \(days.plain) days and \(starts) launches ago; due after \(self.days.plain) or \(launches)"
    )
  }
}

/// Notification of the app in the feed.
package struct AppNotification: ContentItem, Hashable {
  package var id: String { "notification" }
  package var title: String
  package var text: String
  /// Label of the button that follows the notification.
  package var button: String

  package init(title: String, text: String, button: String) {
    self.title = title
    self.text = text
    self.button = button
  }
}

/// Draws the notification with its two buttons, to follow and to dismiss it.
package struct NotificationCellFactory: CellFactory {
  package init() {}

  package func accepts(_ item: any ContentItem) -> Bool { item is AppNotification }

  package func cell(for item: any ContentItem) -> FeedCell {
    guard let note = item as? AppNotification else { return FeedCell(id: item.id, type: .notification, markup: "") }
    return FeedCell(
      id: note.id, type: .notification,
      markup: """
        <h2>\(note.title)</h2><p>\(note.text)</p>\
        <button data-does="follow">\(note.button)</button><button data-does="dismiss" class="quiet">Not now</button>
        """)
  }
}
