internal import Pixels

/// The colours of all that the host draws: light and quiet, so that the ad is what one sees.
enum Palette {
  static let page = Color(rgb: 0xFF_FFFF)
  /// The app's header and the bands outside the content area.
  static let chrome = Color(rgb: 0xF7_F8FA)
  static let hairline = Color(rgb: 0xE3_E6EA)
  static let heading = Color(rgb: 0xC8_CED6)
  static let text = Color(rgb: 0xE4_E8EC)
  static let picture = Color(rgb: 0xEB_EEF2)
  static let pictureDetail = Color(rgb: 0xDA_DFE6)
  /// The slot while no ad is in it.
  static let slot = Color(rgb: 0xF1_F3F5)
  /// Darker than most, since around a full-screen ad it shows only in the bands, which should recede.
  static let scrim = Color(rgb: 0x00_0000, alpha: 204)
  /// The system's signs on light and on dark.
  static let signsOnLight = Color(rgb: 0x2B_2F36)
  static let signsOnDark = Color(rgb: 0xFF_FFFF, alpha: 220)
  static let closeDisc = Color(rgb: 0x00_0000, alpha: 150)
  static let closeRim = Color(rgb: 0xFF_FFFF, alpha: 90)
  static let closeCross = Color(rgb: 0xFF_FFFF)
  /// The device's own screen while the app is in the background.
  static let wallpaper = Color(rgb: 0xDD_E3EA)
  static let icon = Color(rgb: 0xFF_FFFF, alpha: 150)
}
