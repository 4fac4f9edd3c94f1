package import Jobs
internal import MRAID
package import Stage

extension RenderRecord.DeviceSummary {
  /// What a record says of a device: upright, however it is held.
  package init(_ device: Device) {
    self.init(
      name: device.name, width: device.screen.width, height: device.screen.height, scale: device.scale,
      renderScale: device.renderScale)
  }
}
