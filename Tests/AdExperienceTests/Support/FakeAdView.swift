import AdExperience
import MRAID

/// An ad view that notes what it is told, and may answer from within.
final class FakeAdView: AdViewManagerDelegate, CreativeDelegateObserver {
  let journal: Journal
  /// What to do from within a call, by the call's name; each only once.
  var answers: [String: () -> Void] = [:]
  /// Whether the creative's own calls are noted too.
  var notesCreative = false
  private(set) var details: AdDetails?
  private(set) var error: AdError?

  init(journal: Journal) { self.journal = journal }

  func adLoaded(_ details: AdDetails) {
    self.details = details
    hear("adLoaded")
  }

  func failedToLoad(_ error: AdError) {
    self.error = error
    hear("failedToLoad")
  }

  func adDidComplete() { hear("adDidComplete") }
  func adDidDisplay() { hear("adDidDisplay") }
  func adDidClose() { hear("adDidClose") }
  func adWasClicked() { hear("adWasClicked") }
  func adViewWasClicked() { hear("adViewWasClicked") }
  func adDidLeaveApp() { hear("adDidLeaveApp") }
  func adClickthroughDidClose() { hear("adClickthroughDidClose") }
  func adDidExpand() { hear("adDidExpand") }
  func adDidCollapse() { hear("adDidCollapse") }

  func creativeDidCall(_ name: String, detail: JSONValue) {
    if notesCreative { journal.note(name) }
  }

  private func hear(_ call: String) {
    journal.note(call)
    answers.removeValue(forKey: call)?()
  }
}
