internal import Baselines
internal import Bundles
internal import Jobs
internal import ServiceStore
internal import Stage

/// Under which key a run's baseline is kept unless somebody says otherwise.
enum BaselineVariant {
  /// The creative's name; the device, and whatever else was asked for.
  static func key(_ row: RenderRow) -> BaselineKey {
    let request = RenderRequest.read(row.request)
    let parts = [
      request?.screen ?? request?.device ?? DeviceCatalogue.defaultName, request?.orientation,
      request?.placement?.rawValue, request?.size, request?.position?.rawValue, request?.container,
    ]
    let variant = parts.compactMap(\.self).joined(separator: ".").replacing("@", with: "-at-")
    return BaselineKey(
      creative: SafeName.make(row.name.replacing("@", with: "-at-")), variant: SafeName.make(variant))
  }
}
