internal import CWebKitGTK

extension WebView {
  /// What a finger or mouse does at a point.
  package enum PointerPhase: Sendable {
    case down, move, up
  }

  /// A finger on the page, in dip from the view's top-left; the engine trusts it as a person's.
  ///
  /// A finger that `clicks` is followed by mouse events and a click; one that will move isn't, as on a phone.
  package func touch(_ phase: PointerPhase, x: Double, y: Double, clicks: Bool = true) {
    let kind =
      switch phase {
      case .down: GDK_TOUCH_BEGIN
      case .move: GDK_TOUCH_UPDATE
      case .up: GDK_TOUCH_END
      }
    galley_send_touch(pointer, kind.rawValue, x, y, nextInputTime(), 1, clicks ? 1 : 0)
  }

  /// The mouse on the page, in dip from the view's top-left; trusted likewise.
  package func mouse(_ phase: PointerPhase, x: Double, y: Double) {
    let kind =
      switch phase {
      case .down: GDK_BUTTON_PRESS
      case .move: GDK_MOTION_NOTIFY
      case .up: GDK_BUTTON_RELEASE
      }
    galley_send_mouse(pointer, kind.rawValue, x, y, nextInputTime())
  }

  /// Presses and releases the key for one character.
  package func key(_ character: Unicode.Scalar) {
    let keyval = character == "\n" ? guint(GDK_KEY_Return) : gdk_unicode_to_keyval(character.value)
    galley_send_key(pointer, keyval, nextInputTime())
  }

  /// Lets input time pass, as for a finger that rests before it lifts: what it moved isn't thrown on.
  package func holdStill() { inputTime += 250 }

  /// Gives the page the focus, which a window nobody sees never gets by itself.
  package func focus() {
    activity += 1
    galley_send_focus(pointer)
  }

  private func nextInputTime() -> guint32 {
    activity += 1
    inputTime += 16
    return inputTime
  }
}
