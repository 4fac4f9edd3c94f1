import Exploration
import Jobs
internal import MRAID

extension FakeCreative {
  /// Explores it, rendering so many trials at a time and handing the results back in an order of `shuffle`'s.
  func explored(
    _ budget: Budget = Budget(), placement: Placement.Kind = .banner, atOnce: Int = 1,
    shuffle: ([TrialResult]) -> [TrialResult] = { $0 }
  ) -> Explorer {
    var explorer = Explorer(placement: placement, scrollDistance: 800, budget: budget)
    var waiting = [explorer.start()]
    while !waiting.isEmpty {
      let batch = waiting.prefix(atOnce)
      waiting.removeFirst(batch.count)
      for result in shuffle(batch.map(render)) { waiting += explorer.take(result) }
    }
    return explorer
  }

  func exploration(
    _ budget: Budget = Budget(), files: String? = nil, placement: Placement.Kind = .banner
  ) -> Exploration {
    var vocabulary = Vocabulary()
    if let files { vocabulary.read(files) }
    return explored(budget, placement: placement).exploration(
      placement: Placement(kind: placement), vocabulary: files == nil ? nil : vocabulary)
  }

  /// A banner that expands, with a menu two taps deep and a browser behind it.
  static let menu = FakeCreative(rooms: [
    "start": Room(text: "Hello", targets: [.button("#open")], ways: ["#open": "expanded"]),
    "expanded": Room(
      state: .expanded, modals: ["expanded"], text: "Courses", targets: [.button("#sea"), .button("#dead")],
      ways: ["#sea": "sea", "close": "start"]),
    "sea": Room(
      state: .expanded, modals: ["expanded"], text: "Sea", targets: [.button("#crab"), .button("#back")],
      ways: ["#crab": "browser", "#back": "expanded", "close": "start"],
      events: ["#crab": [(.creative, "open", ["gesture": true, "arguments": ["https://a.example/"]])]]),
    "browser": Room(
      state: .expanded, modals: ["expanded", "browser"], text: "Sea", targets: [.button("#crab")],
      ways: ["close": "sea"]),
  ])
}

extension Exploration {
  /// `code in state: action` of every oddity.
  var odd: [String] { oddities.map { "\($0.code.rawValue) in \($0.state ?? 0): \($0.action ?? "–")" } }
}

extension Explorer {
  /// `1 tap #open 2` of every edge.
  var ways: [String] { edges.map { "\($0.from) \($0.act.label) \($0.to.map(String.init) ?? "failed")" } }
}
