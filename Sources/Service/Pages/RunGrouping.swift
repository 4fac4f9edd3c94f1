/// The property by which the runs of a list are grouped.
enum RunGrouping: String, CaseIterable {
  case none = ""
  case project, branch, commit
  case creative
  case review

  var title: String { self == .none ? "nothing" : rawValue }

  /// The cards in groups, ordered by the newest card of each. Without grouping there is one group without a title.
  func groups(_ cards: [RunCard]) -> [[String: Any]] {
    guard self != .none else { return cards.isEmpty ? [] : [["cards": cards.map(\.values)]] }
    var order: [String] = []
    var groups: [String: [RunCard]] = [:]
    for card in cards {
      let title = title(of: card)
      if groups[title] == nil { order.append(title) }
      groups[title, default: []].append(card)
    }
    return order.map { title in
      let members = groups[title] ?? []
      return ["heading": title, "count": members.count, "cards": members.map(\.values)] as [String: Any]
    }
  }

  private func title(of card: RunCard) -> String {
    switch self {
    case .none: ""
    case .project, .branch, .commit: card.labels.first { $0.name == rawValue }?.value ?? "without a \(rawValue)"
    case .creative: card.row.name
    case .review: card.values["comparison"] as? String ?? "not compared"
    }
  }
}
