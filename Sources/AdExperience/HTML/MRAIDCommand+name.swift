internal import MRAID

extension MRAIDCommand {
  /// The bridge method's name.
  var name: String {
    switch self {
    case .expand: "expand"
    case .resize: "resize"
    case .close: "close"
    case .unload: "unload"
    case .open: "open"
    case .useCustomClose: "useCustomClose"
    case .setExpandProperties: "setExpandProperties"
    case .setResizeProperties: "setResizeProperties"
    case .setOrientationProperties: "setOrientationProperties"
    case .playVideo: "playVideo"
    case .storePicture: "storePicture"
    case .createCalendarEvent: "createCalendarEvent"
    case .initVpaid: "initVpaid"
    case .addEventListener: "addEventListener"
    case .misuse(let action, _): action
    }
  }
}
