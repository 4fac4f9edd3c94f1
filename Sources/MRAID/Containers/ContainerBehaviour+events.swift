extension ContainerBehaviour {
  /// What of one delivery's events is sent, in the container's order; those it doesn't name keep their places.
  func told(_ events: [MRAIDEvent]) -> [MRAIDEvent] {
    var sent = silentEvents.isEmpty ? events : events.filter { !silentEvents.contains($0.name) }
    let places = sent.indices.filter { eventOrder.contains(sent[$0].name) }
    guard places.count > 1 else { return sent }
    let ordered = places.sorted { (rank(sent[$0]), $0) < (rank(sent[$1]), $1) }.map { sent[$0] }
    for (place, event) in zip(places, ordered) { sent[place] = event }
    return sent
  }

  /// The features of a device's that the container lets ads use, and those it always does.
  package func supported(of features: Set<String>) -> Set<String> {
    let always = supports.filter(\.value).keys
    return features.union(always).filter { supports[$0] != false }
  }

  private func rank(_ event: MRAIDEvent) -> Int { eventOrder.firstIndex(of: event.name) ?? eventOrder.count }
}
