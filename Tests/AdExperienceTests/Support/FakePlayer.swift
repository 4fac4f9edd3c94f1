import AdExperience
import MRAID

/// A player that does what it is told at once, and notes it.
final class FakePlayer: VideoHost {
  let journal: Journal
  private(set) var events: [TrackedEvent] = []
  /// After which event it wants the film to stand still.
  var stillAfter: String?

  init(journal: Journal) { self.journal = journal }

  func play(_ view: AdViewID) { journal.note("play \(view.rawValue)") }
  func pause(_ view: AdViewID) { journal.note("pause \(view.rawValue)") }
  func setMuted(_ isMuted: Bool, _ view: AdViewID) { journal.note(isMuted ? "silence" : "sound") }
  func setFullScreen(_ isFullScreen: Bool, _ view: AdViewID) { journal.note(isFullScreen ? "full" : "slot") }
  func standsStill(_ view: AdViewID) -> Bool { stillAfter != nil && events.last?.name == stillAfter }

  func track(_ event: TrackedEvent) {
    events.append(event)
    journal.note("*\(event.name)")
  }

  /// The last event of this name.
  func event(_ name: String) -> TrackedEvent? { events.last { $0.name == name } }
}
