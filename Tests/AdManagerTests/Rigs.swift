import AdManager
import Core
import Device
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
    let modalManager = ModalManager(presenter: screen, listener: screen)
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

  /// Uses the host's close control as the user does; returns all calls that this caused.
  func hostClose(at location: SourceLocation = #_sourceLocation) -> [String] {
    journal.during { #expect(manager.closeTopmost(), sourceLocation: location) }
  }
}

/// An ad manager among fakes with one HTML creative, as a render has it.
final class HTMLRig {
  let journal = Journal()
  let screen: FakeScreen
  let adView: FakeAdView
  let host: FakeHost
  let manager: AdViewManager
  let creative: HTMLCreative
  private let loader: PageLoader

  init(_ kind: AdConfiguration.Kind) {
    screen = FakeScreen(journal: journal)
    adView = FakeAdView(journal: journal)
    host = FakeHost(journal: journal, screen: screen, isInterstitial: kind == .interstitial)
    let profile = HostProfile(
      placementType: kind == .banner ? .inline : .interstitial, environment: ["version": "3.0"],
      supports: ["tel", "sms", "inlineVideo", "storePicture", "calendar"])
    creative = HTMLCreative(session: MRAIDSession(profile: profile, geometry: host.geometry), host: host)
    host.creative = creative
    loader = PageLoader(creative: creative, host: host)
    let modalManager = ModalManager(presenter: screen, listener: screen)
    manager = AdViewManager(
      configuration: AdConfiguration(kind: kind, size: host.geometry.currentPosition.size),
      transactionManager: TransactionManager(loader: loader), modalManager: modalManager, slot: screen)
    manager.delegate = adView
    manager.observer = adView
  }

  /// A creative that is loaded and on the screen.
  static func shown(_ kind: AdConfiguration.Kind) -> HTMLRig {
    let rig = HTMLRig(kind)
    rig.load()
    rig.manager.show()
    return rig
  }

  /// Loads the creative's page to its end.
  func load() {
    manager.load()
    creative.pageDidLoad(.one)
    loader.finish(nil)
  }

  /// Calls the bridge as the page of the first part.
  func call(_ command: MRAIDCommand) { creative.handle(.session(.command(command, from: .one, gesture: true))) }

  /// Sets valid resize properties and resizes.
  func resize(height: Double = 250) {
    call(.setResizeProperties(["width": 320, "height": .number(height), "offsetX": 0, "offsetY": 0]))
    call(.resize)
  }

  /// Brings the creative to the state from which a test starts.
  func bring(to state: MRAIDState) {
    switch state {
    case .expanded: call(.expand(url: nil))
    case .resized: resize()
    case .hidden: call(.close)
    case .loading, .default: break
    }
  }

  /// Uses the host's close control as the user does; returns all calls that this caused.
  func hostClose(at location: SourceLocation = #_sourceLocation) -> [String] {
    journal.during { #expect(manager.closeTopmost(), sourceLocation: location) }
  }

  var state: MRAIDState { creative.session.state }
  var kinds: [String] { screen.kinds }
}

/// Loader that ends the load when the page is loaded or has unloaded itself, whichever is first.
final class PageLoader: TransactionLoader {
  private let creative: HTMLCreative
  private var completion: ((AdError?) -> Void)?

  init(creative: HTMLCreative, host: FakeHost) {
    self.creative = creative
    host.onLoadFailure = { [weak self] in self?.finish($0) }
  }

  func load(_ configuration: AdConfiguration, completion: @escaping (Result<Transaction, AdError>) -> Void) {
    self.completion = { [creative] error in
      let transaction = Transaction(creatives: [creative], configuration: configuration)
      completion(error.map { .failure($0) } ?? .success(transaction))
    }
  }

  /// Ends the load; later calls have no effect.
  func finish(_ error: AdError?) {
    let completion = completion
    self.completion = nil
    completion?(error)
  }
}
