import AdExperience
import MRAID
import Testing

/// An ad manager among fakes, with creatives of no particular kind.
final class ManagerRig {
  let journal = Journal()
  let screen: FakeScreen
  let adView: FakeAdView
  let loader = FakeLoader()
  let manager: AdViewManager

  init(_ kind: AdConfiguration.Kind, closeDelay: Double = 0) {
    screen = FakeScreen(journal: journal)
    adView = FakeAdView(journal: journal)
    let modalManager = ModalManager(presenter: screen)
    modalManager.add(screen)
    manager = AdViewManager(
      configuration: AdConfiguration(kind: kind, size: Size(width: 320, height: 50), closeDelay: closeDelay),
      transactionManager: TransactionManager(loader: loader), modalManager: modalManager, slot: screen)
    manager.delegate = adView
    manager.observer = adView
  }

  /// Supplies an ad of creatives with these names.
  @discardableResult func supply(_ names: String...) -> [FakeCreative] {
    let creatives = names.map { FakeCreative($0, journal: journal) }
    loader.supply.append(creatives)
    return creatives
  }

  /// Loads and shows an ad of one creative.
  func start(_ name: String = "ad") -> FakeCreative {
    let creative = supply(name)[0]
    manager.load()
    manager.show()
    return creative
  }

  /// The person uses the host's close control; returns what everybody was told.
  func hostClose(at location: SourceLocation = #_sourceLocation) -> [String] {
    journal.during { #expect(manager.closeTopmost(), sourceLocation: location) }
  }
}
