import Feed
import RenderModel

/// Feeds to try rules on.
enum Sample {
  static func posts(_ count: Int) -> [Post] {
    (0..<count).map { index in
      Post(
        id: "post-\(index)", author: "Ada Byron", handle: "ada", album: "Garden", title: "Picture \(index)", text: "",
        image: nil)
    }
  }

  static let note = AppNotification(title: "Stay in touch", text: "", button: "Turn on")

  /// Posts, ads, a survey and the notification, as far as they are given.
  static func assembly(
    posts count: Int, ads: AdRules? = AdRules(), surveyAfter: Int? = nil,
    notification: NotificationRules? = NotificationRules(kinds: ["main"]), disabled: Set<ContentType> = []
  ) throws -> FeedAssembly {
    var providers: [any ContentProvider] = [PostProvider(posts: posts(count))]
    if let ads { providers.append(AdProvider(rules: ads)) }
    if let surveyAfter {
      let section = try YAMLDocument(text: "{after: \(surveyAfter), question: Well?}", source: "x", kind: "feed").root()
      providers.append(try SurveyProvider(section))
    }
    if let notification { providers.append(NotificationProvider(rules: notification, notification: note)) }
    return FeedAssembly(
      providers: providers, factories: [PostCellFactory()] + ContentKind.all.map(\.factory), disabled: disabled)
  }

  static func situation(_ history: FeedHistory = FeedHistory()) -> FeedContext {
    FeedContext(kind: "main", history: history)
  }
}
