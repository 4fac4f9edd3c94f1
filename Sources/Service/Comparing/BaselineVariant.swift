internal import Comparison
internal import Core
internal import Creatives
internal import Device
internal import MRAID
internal import RenderModel
internal import Scheduling

/// Default key of the baseline of a run.
enum BaselineVariant {
  /// The key made of the creative's name, and of the device with all other settings of the request.
  static func key(_ row: RenderRow) -> BaselineKey { key(row.name, RenderRequest.read(row.request)) }

  static func key(_ name: String, _ request: RenderRequest?) -> BaselineKey {
    let parts =
      [
        request?.screen ?? device(request), request?.orientation, request?.placement?.rawValue, request?.size,
        request?.position?.rawValue, container(request).flatMap { $0 == ContainerProfile.spec.name ? nil : $0 },
      ] + (request?.settings.words ?? [])
    let variant = parts.compactMap(\.self).joined(separator: ".").replacing("@", with: "-at-")
    return BaselineKey(
      creative: SafeName.make(name.replacing("@", with: "-at-")), variant: SafeName.make(variant))
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
