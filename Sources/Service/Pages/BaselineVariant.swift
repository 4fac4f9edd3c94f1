internal import Baselines
internal import Bundles
internal import Jobs
internal import MRAID
internal import ServiceStore
internal import Stage

/// Under which key a run's baseline is kept unless somebody says otherwise.
enum BaselineVariant {
  /// The creative's name; the device, and whatever else was asked for.
  static func key(_ row: RenderRow) -> BaselineKey {
    let request = RenderRequest.read(row.request)
    let parts = [
      request?.screen ?? device(request), request?.orientation, request?.placement?.rawValue, request?.size,
      request?.position?.rawValue, container(request).flatMap { $0 == ContainerProfile.spec.name ? nil : $0 },
    ]
    let variant = parts.compactMap(\.self).joined(separator: ".").replacing("@", with: "-at-")
    return BaselineKey(
      creative: SafeName.make(row.name.replacing("@", with: "-at-")), variant: SafeName.make(variant))
  }

  private static func device(_ request: RenderRequest?) -> String {
    switch request?.device {
    case nil: DeviceCatalogue.defaultName
    case .name(let name): name
    case .value(let device): device.name
    }
  }

  private static func container(_ request: RenderRequest?) -> String? {
    switch request?.container {
    case nil: nil
    case .name(let name): name
    case .value(let profile): profile.name
    }
  }
}
