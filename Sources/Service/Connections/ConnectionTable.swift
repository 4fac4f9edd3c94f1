/// Who is connected: bounded altogether and by address, and who rests gives way to who comes.
struct ConnectionTable: Sendable {
  private struct Entry {
    let address: [UInt8]?
    /// Since when nothing is asked for, as a place in the order of all that happened; nil while a request is answered.
    var restsSince: Int?
  }

  private let bounds: ConnectionBounds
  private var entries: [Int: Entry] = [:]
  private var counts: [[UInt8]: Int] = [:]
  private var clock = 0

  init(_ bounds: ConnectionBounds) { self.bounds = bounds }

  var count: Int { entries.count }

  /// Takes a connection in and names the one that has to go for it; nil when there is no room.
  ///
  /// Without an address it is a trusted proxy's, whose connections count towards all of them only.
  mutating func arrive(from address: [UInt8]?) -> (id: Int, leaving: Int?)? {
    var leaving: Int?
    if let address, counts[address, default: 0] >= bounds.mostOfOne {
      leaving = longestResting { $0.address == address }
      guard leaving != nil else { return nil }
    } else if entries.count >= bounds.most {
      // Of whoever has the most of them: one who opens many can only crowd out his own.
      let crowd = entries.values.filter { $0.restsSince != nil }.map { weight($0) }.max()
      leaving = longestResting { weight($0) == crowd }
      guard leaving != nil else { return nil }
    }
    if let leaving { leave(leaving) }
    clock += 1
    entries[clock] = Entry(address: address, restsSince: clock)
    if let address { counts[address, default: 0] += 1 }
    return (clock, leaving)
  }

  /// A request is answered from now on.
  mutating func work(_ id: Int) { entries[id]?.restsSince = nil }

  /// Its answer is over.
  mutating func rest(_ id: Int) {
    clock += 1
    entries[id]?.restsSince = clock
  }

  /// The connection is over.
  mutating func leave(_ id: Int) {
    guard let entry = entries.removeValue(forKey: id), let address = entry.address else { return }
    counts[address, default: 1] -= 1
    if counts[address] == 0 { counts[address] = nil }
  }

  private func weight(_ entry: Entry) -> Int { entry.address.map { counts[$0, default: 0] } ?? 0 }

  private func longestResting(_ counts: (Entry) -> Bool) -> Int? {
    entries.filter { $0.value.restsSince != nil && counts($0.value) }
      .min { $0.value.restsSince ?? 0 < $1.value.restsSince ?? 0 }?.key
  }
}
