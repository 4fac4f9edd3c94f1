internal import Core
internal import Creatives
internal import Device
internal import RenderModel

/// Derives device and placement from the creative if the call leaves them open.
struct JobInference {
  /// Indicates if the call names no device.
  let choosesDevice: Bool
  /// Indicates if the call, the scenario and the container leave the placement open.
  let choosesPlacement: Bool

  /// Returns the job fitted to the creative; one that can't be opened is returned unchanged and fails in the render.
  func fitted(_ job: RenderJob) -> RenderJob {
    let fitsBanner = job.placement.kind == .banner && (choosesDevice || choosesPlacement)
    guard fitsBanner || job.placement.kind == .interstitial, job.feed == nil,
      let bundle = try? CreativeBundle.open(job.creative, digests: false), bundle.response == nil, bundle.url == nil
    else { return job }
    var job = job
    if fitsBanner { fit(&job, to: bundle) }
    if job.placement.kind == .interstitial { turn(&job, for: bundle.meta) }
    return job
  }

  /// Chooses a device with room for the creative's size, or the whole screen for one without a size.
  private func fit(_ job: inout RenderJob, to bundle: CreativeBundle) {
    if let size = job.placement.size ?? bundle.sizeClue(job.creative)?.size {
      if choosesDevice { fit(&job, to: size, isInApp: bundle.namesMRAID) }
    } else if choosesPlacement, let because = bundle.fullScreenReason(job.creative) {
      job.placement = Placement(kind: .interstitial)
      job.assume(Assumption(.placement, Placement.Kind.interstitial.rawValue, because: because))
    }
  }

  /// Turns the device for an ad of the whole screen that is only for landscape, whoever chose the placement.
  private func turn(_ job: inout RenderJob, for meta: CreativeMeta) {
    guard job.orientation == nil, job.device.screen.width < job.device.screen.height,
      meta.orientations == [.landscape]
    else { return }
    job.orientation = .landscape
    job.assume(Assumption(.orientation, AppOrientation.landscape.rawValue, because: "ad.orientation sets it"))
  }

  /// Chooses the first device with room for a size.
  ///
  /// The order is phones, turned phones for sizes that fill a screen, tablets for in-app ads and for sizes at least 600
  /// dip high, and desktops.
  private func fit(_ job: inout RenderJob, to size: Size, isInApp: Bool) {
    guard !size.fits(job.device.screen), job.orientation == nil || !size.fits(job.device.screen.turned) else { return }
    let because = "no phone has room for \(size)"
    if job.orientation == nil, size.isScreenlike, size.fits(job.device.screen.turned) {
      job.orientation = .landscape
      job.assume(
        Assumption(.orientation, AppOrientation.landscape.rawValue, because: "\(size) fits only a turned phone"))
      return
    }
    let devices = DeviceCatalogue.standard.devices
    let phones = devices.filter { $0.touch && min($0.screen.width, $0.screen.height) < 600 }
    let tablets = devices.filter { $0.touch && min($0.screen.width, $0.screen.height) >= 600 }
    let desktops = devices.filter { !$0.touch }
    if let phone = phones.first(where: { size.fits($0.screen) }) {
      take(phone, "\(size) doesn't fit on \(job.device.name)", &job)
    } else if isInApp || size.height >= 600, let tablet = tablets.first(where: { size.fits($0.screen) }) {
      take(tablet, because, &job)
    } else if let desktop = desktops.first(where: { size.fits($0.screen) }) ?? desktops.last {
      take(desktop, because, &job)
    }
  }

  private func take(_ device: Device, _ because: String, _ job: inout RenderJob) {
    job.device = device
    job.assume(Assumption(.device, device.name, because: because))
  }
}

extension RenderJob {
  fileprivate mutating func assume(_ assumption: Assumption) { assumptions = (assumptions ?? []) + [assumption] }
}

extension Size {
  fileprivate func fits(_ screen: Size) -> Bool { width <= screen.width && height <= screen.height }

  /// Indicates if the size has about the aspect ratio of a phone in landscape.
  fileprivate var isScreenlike: Bool { height >= 300 && (1.3...2.4).contains(width / height) }
}
