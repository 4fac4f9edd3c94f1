internal import Core
internal import RenderModel

/// Pairs the events of two logs: those that stayed in order, then those that moved, then those that changed in place.
struct EventMatching {
  private let first: [Event]
  private let second: [Event]
  private let keys: (first: [EventKey], second: [EventKey])
  private let kept: [PlacePair]
  /// Indices of unpaired events in the first log; `added` has those of the second.
  private var lost: [Int]
  private var added: [Int]

  init(_ first: [Event], _ second: [Event]) {
    let (first, second) = (Self.levelled(first), Self.levelled(second))
    (self.first, self.second) = (first, second)
    keys = (first.map(EventKey.init), second.map(EventKey.init))
    var numbers: [EventKey: Int] = [:]
    func number(_ key: EventKey) -> Int {
      if let known = numbers[key] { return known }
      numbers[key] = numbers.count
      return numbers.count - 1
    }
    kept = SequenceAlignment(keys.first.map(number), keys.second.map(number)).kept
    let (stays, stayed) = (Set(kept.map(\.first)), Set(kept.map(\.second)))
    lost = first.indices.filter { !stays.contains($0) }
    added = second.indices.filter { !stayed.contains($0) }
  }

  /// Returns the log without `vast/departure` events, and with each run of adjacent resources sorted by address.
  ///
  /// Departures from VAST's schema describe the creative's text and not its behaviour: checks judge them, and logs of
  /// older versions have none. The order in which a page requests the resources that it finds together depends on a
  /// race between the engine's processes and says nothing about the ad. With the machine's clock the log itself can't
  /// sort them, since no two requests have the same time.
  private static func levelled(_ events: [Event]) -> [Event] {
    func isResource(_ event: Event) -> Bool { event.source == .network && event.isNamed(.resource) }
    var levelled = events.filter { !($0.source == .vast && $0.isNamed(.departure)) }
    var start = levelled.startIndex
    while let begin = levelled[start...].firstIndex(where: isResource) {
      let end = levelled[begin...].firstIndex { !isResource($0) } ?? levelled.endIndex
      // Long addresses are cut, as those of pictures in a page are: what they have tells them apart.
      func place(_ event: Event) -> (String, Double, Int) {
        (event.detail["url"]?.string ?? "", event.detail["bytes"]?.number ?? 0, event.seq)
      }
      levelled[begin..<end].sort { place($0) < place($1) }
      start = end
    }
    return levelled
  }

  /// Returns all differences in the order of the second log.
  func findings() -> [EventFinding] {
    var rest = self
    var found = rest.takeMoved() + rest.takeChanged()
    found += rest.added.map { index in
      Placed(gap: gap(second: index), order: index, finding: only(.added, second[index], keys.second[index]))
    }
    found += rest.lost.map { index in
      Placed(gap: gap(first: index), order: -1, finding: only(.lost, first[index], keys.first[index]))
    }
    // Sorting is stable, so what was lost in one gap keeps its order.
    return found.sorted { ($0.gap, $0.order) < ($1.gap, $1.order) }.map(\.finding)
  }

  /// Finding with its position: the number of kept events before it, and its index in the second log.
  private struct Placed {
    let gap: Int
    let order: Int
    let finding: EventFinding
  }

  /// Kind of an event, and the number of kept events before it.
  private struct KindAndGap: Hashable {
    let source: Event.Source
    let name: String
    let gap: Int

    init(key: EventKey, gap: Int) {
      (source, name, self.gap) = (key.source, key.name, gap)
    }
  }

  /// Pairs equal events that have another order in the second log.
  private mutating func takeMoved() -> [Placed] {
    var places: [EventKey: [Int]] = [:]
    for index in added.reversed() { places[keys.second[index], default: []].append(index) }
    var found: [Placed] = []
    var (partnered, taken) = (Set<Int>(), Set<Int>())
    for index in lost {
      guard let place = places[keys.first[index]]?.popLast() else { continue }
      partnered.insert(index)
      taken.insert(place)
      let event = second[place]
      let finding = EventFinding(
        change: .moved, source: event.source, name: event.name, first: first[index].seq, second: event.seq,
        crossing: crossing(first: index, second: place))
      found.append(Placed(gap: gap(second: place), order: place, finding: finding))
    }
    lost.removeAll { partnered.contains($0) }
    added.removeAll { taken.contains($0) }
    return found
  }

  /// Pairs events of one kind that lie between the same kept events.
  private mutating func takeChanged() -> [Placed] {
    var places: [KindAndGap: [Int]] = [:]
    for index in added.reversed() {
      places[KindAndGap(key: keys.second[index], gap: gap(second: index)), default: []].append(index)
    }
    var found: [Placed] = []
    var (partnered, taken) = (Set<Int>(), Set<Int>())
    for index in lost {
      let gap = gap(first: index)
      guard let place = places[KindAndGap(key: keys.first[index], gap: gap)]?.popLast() else { continue }
      partnered.insert(index)
      taken.insert(place)
      found.append(Placed(gap: gap, order: place, finding: changed(index, place)))
    }
    lost.removeAll { partnered.contains($0) }
    added.removeAll { taken.contains($0) }
    return found
  }

  private func changed(_ index: Int, _ place: Int) -> EventFinding {
    EventFinding(
      change: .changed, source: second[place].source, name: second[place].name, first: first[index].seq,
      second: second[place].seq, members: DetailComparison.members(keys.first[index].detail, keys.second[place].detail))
  }

  private func only(_ change: EventFinding.Change, _ event: Event, _ key: EventKey) -> EventFinding {
    EventFinding(
      change: change, source: event.source, name: event.name, first: change == .lost ? event.seq : nil,
      second: change == .added ? event.seq : nil, detail: key.detail)
  }

  /// Returns the nearest kept event of the second log that the moved event has crossed.
  private func crossing(first index: Int, second place: Int) -> EventFinding.Crossing? {
    let overtaken = kept.first { $0.second > place && $0.first < index }
    let passed = kept.last { $0.second < place && $0.first > index }
    if let overtaken {
      return .init(now: .before, source: second[overtaken.second].source, name: second[overtaken.second].name)
    }
    return passed.map { .init(now: .after, source: second[$0.second].source, name: second[$0.second].name) }
  }

  /// Returns the number of kept events before an index of the first log.
  private func gap(first index: Int) -> Int { Self.rank(of: index, in: kept, \.first) }
  private func gap(second index: Int) -> Int { Self.rank(of: index, in: kept, \.second) }

  private static func rank(
    of index: Int, in kept: [PlacePair], _ side: KeyPath<PlacePair, Int>
  ) -> Int {
    var (low, high) = (0, kept.count)
    while low < high {
      let middle = (low + high) / 2
      if kept[middle][keyPath: side] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Event without the parts that differ from run to run: number, time and measured durations.
struct EventKey: Hashable {
  let source: Event.Source
  let name: String
  let detail: JSONValue

  init(_ event: Event) {
    source = event.source
    name = event.name
    if case .object(var members) = event.detail {
      members["timing"] = nil
      detail = .object(members)
    } else {
      detail = event.detail
    }
  }
}
