internal import AdManager
internal import AdResponses
internal import Core
internal import Device
internal import Engine
internal import Hosting
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// Page beside an ad in which its measuring code runs.
///
/// Each script has a frame of its own, isolated from everything but the service, as SDKs do for ads that they draw.
@EngineActor struct MeasuringPage {
  let pages: PageFactory
  let tracker: AdTracker
  let owner: any PageOwner
  /// View of the ad that is measured.
  let view: AdViewID

  /// Time that measuring code has to load.
  private static let patience = Duration.seconds(5)
  /// Maximum number of an ad's verifications that are used, including those of wrappers.
  private static let mostVerifications = 10

  var id: AdViewID { Self.id(beside: view) }

  static func id(beside view: AdViewID) -> AdViewID { AdViewID(rawValue: "\(view.rawValue)-omid") }

  /// Loads the scripts one after the other, so that they are always logged in the same order.
  ///
  /// - Parameter address: returns the address to request for one that the ad names.
  func run(
    _ verifications: [VASTVerification], for omid: OMIDController, address: (String) -> String
  ) async {
    let scripts = allowed(verifications, address)
    guard !scripts.isEmpty else { return }
    let page = await open()
    omid.page = page
    omid.onScript = { [tracker] resource, isLoaded in
      guard !isLoaded, let failed = scripts.first(where: { $0.url == resource.url }) else { return }
      tracker.track(failed.verification, .loadError)
    }
    for (verification, address, url) in scripts {
      let resource = OMIDScriptResource(
        url: url, vendor: verification.vendor, parameters: verification.parameters, accessMode: .limited)
      let isTracked = verification.mayBeTracked ? !verification.notExecuted.isEmpty : nil
      omid.inject(resource, from: address, isTracked: isTracked)
      await wait { omid.scriptsHaveEnded }
      omid.giveUpScripts()
    }
    page.network?.flush()
  }

  /// Verifications with a script for Open Measurement at an allowed address; for the others, the reason is tracked.
  private func allowed(
    _ verifications: [VASTVerification], _ address: (String) -> String
  ) -> [(verification: VASTVerification, address: CreativeAddress, url: String)] {
    verifications.prefix(Self.mostVerifications).compactMap { verification in
      guard let script = verification.omidScript else {
        tracker.track(verification, .notSupported)
        return nil
      }
      do throws(AddressRefusal) {
        return (verification, try pages.context.judge(whole: address(script.url), for: .verification), script.url)
      } catch {
        tracker.track(verification, .rejected)
        return nil
      }
    }
  }

  private func open() async -> AdPage {
    let address = pages.context.host(OMIDScript.page, as: id.rawValue)
    pages.context.serve()
    let page = pages.make(id, .omid, owner: owner)
    page.isMeasuring = true
    page.view.load(address)
    await wait { page.isLoaded }
    return page
  }

  private func wait(_ isDone: @escaping () -> Bool) async {
    let render = pages.context.render
    _ = await render.recorder.wait(Self.patience) { [weak render] in isDone() || render?.failure != nil }
  }
}

/// Reason why measuring code of an ad wasn't run, as reported to its tracking (VAST 4.3 §3.17.2).
enum NotExecuted: Int {
  case rejected = 1
  case notSupported
  case loadError
}

extension AdTracker {
  /// Logs that measuring code wasn't run, and sends the beacons for it.
  func track(_ verification: VASTVerification, _ reason: NotExecuted) {
    var detail: [String: JSONValue] = [
      "resources": .array(verification.resources.map { .string($0) }), "reason": .number(Double(reason.rawValue)),
    ]
    detail["vendor"] = verification.vendor.map { .string($0) }
    track(
      TrackedEvent(
        .verificationNotExecuted, detail: detail, beacons: verification.notExecuted,
        macros: ["REASON": String(reason.rawValue)]))
  }
}
