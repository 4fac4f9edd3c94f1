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

extension WebView {
  /// What can be picked in the list that is open, as it reads; nil when none is.
  package var openOptions: [String]? { options?.labels }

  /// Picks an option of the open list, trusted as a person's choice; false when there is none that reads so.
  package func pick(_ option: String) -> Bool {
    activity += 1
    guard options?.pick(option) == true else { return false }
    options = nil
    return true
  }

  /// Closes the list without a choice, as a tap beside it does.
  package func dismissOptions() {
    options?.close()
    options = nil
  }

  func show(_ menu: OptionMenu) {
    activity += 1
    options = menu
  }
}

/// The list a `select` opens, which the host shows in an app's web view and so nobody sees here.
@WebKitActor final class OptionMenu {
  private let pointer: UnsafeMutablePointer<WebKitOptionMenu>

  init(_ menu: UnsafeMutablePointer<WebKitOptionMenu>) {
    pointer = menu
    g_object_ref(UnsafeMutableRawPointer(menu))
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// What can be picked, as it reads.
  var labels: [String] { (0..<webkit_option_menu_get_n_items(pointer)).compactMap(label) }

  /// Picks the first option that reads so and closes the list; false when there is none.
  func pick(_ wanted: String) -> Bool {
    let found = (0..<webkit_option_menu_get_n_items(pointer)).first { label(of: $0) == wanted }
    guard let found else { return false }
    webkit_option_menu_activate_item(pointer, found)
    close()
    return true
  }

  func close() { webkit_option_menu_close(pointer) }

  /// Nil for headings and for options that are disabled.
  private func label(of index: guint) -> String? {
    guard let item = webkit_option_menu_get_item(pointer, index), webkit_option_menu_item_is_enabled(item) != 0,
      webkit_option_menu_item_is_group_label(item) == 0
    else { return nil }
    return webkit_option_menu_item_get_label(item).map { String(cString: $0) }
  }
}
