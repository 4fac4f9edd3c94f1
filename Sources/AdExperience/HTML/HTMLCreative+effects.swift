internal import MRAID

extension HTMLCreative {
  /// Does what the session decided.
  func carryOut(_ effect: MRAIDEffect) {
    switch effect {
    case .deliver(let update, let part): host.deliver(update, to: part)
    case .present(let presentation): present(presentation)
    case .open(let url, let gesture): open(url, gesture: gesture)
    case .playVideo(let uri): playVideo(uri)
    case .storePicture(let uri, let confirmed):
      host.record(.host, "storePicture", ["uri": .string(uri), "confirmed": .bool(confirmed)])
    case .createCalendarEvent(let event, let confirmed):
      host.record(.host, "createCalendarEvent", ["event": event, "confirmed": .bool(confirmed)])
    case .orientation(let properties): orient(properties)
    case .customClose(let wanted):
      host.record(.host, "useCustomClose", ["wanted": .bool(wanted), "hostDraws": true])
    case .unload: unload()
    case .vpaid(let phase): host.record(.mraid, "vpaid", ["phase": .string(phase)])
    case .scheduleExposure(let delay): scheduleExposure(after: delay)
    case .ignored(let command, let reason):
      host.record(.mraid, "ignored", ["command": .string(command.name), "reason": .string(reason)])
    case .premature(let command):
      host.record(.mraid, "premature", ["command": .string(command.name)])
    }
  }

  /// What turning or locking changes is told later, unless a transition tells it first.
  private func orient(_ properties: OrientationProperties) {
    host.apply(properties)
    guard host.geometry != session.geometry else { return }
    host.schedule(after: 0) { [weak self] in self?.screenDidChange() }
  }

  private func scheduleExposure(after delay: Double) {
    host.schedule(after: delay) { [weak self] in
      guard let self else { return }
      sendIfThere(.exposureDue(at: host.now))
    }
  }
}
