internal import CWebKitGTK

/// What a person does to a page: fingers, mouse, keys, and choices from lists; the engine trusts it as a person's.
@WebKitActor package final class PageInput {
  /// What a finger or mouse does at a point.
  package enum PointerPhase: Sendable {
    case down, move, up
  }

  private let pointer: UnsafeMutablePointer<WebKitWebView>
  private let activity: PageActivity
  /// X time of the last input event; rises with every event.
  private var time: guint32 = 1_000
  /// The list of a `select` that was tapped and waits for a choice.
  private var options: OptionMenu?

  init(_ pointer: UnsafeMutablePointer<WebKitWebView>, _ activity: PageActivity) {
    (self.pointer, self.activity) = (pointer, activity)
  }

  /// A finger on the page, in dip from the view's top-left.
  ///
  /// A finger that `clicks` is followed by mouse events and a click; one that will move isn't, as on a phone.
  package func touch(_ phase: PointerPhase, x: Double, y: Double, clicks: Bool = true) {
    let kind =
      switch phase {
      case .down: GDK_TOUCH_BEGIN
      case .move: GDK_TOUCH_UPDATE
      case .up: GDK_TOUCH_END
      }
    galley_send_touch(pointer, kind.rawValue, x, y, nextTime(), 1, clicks ? 1 : 0)
  }

  /// The mouse on the page, in dip from the view's top-left.
  package func mouse(_ phase: PointerPhase, x: Double, y: Double) {
    let kind =
      switch phase {
      case .down: GDK_BUTTON_PRESS
      case .move: GDK_MOTION_NOTIFY
      case .up: GDK_BUTTON_RELEASE
      }
    galley_send_mouse(pointer, kind.rawValue, x, y, nextTime())
  }

  /// Presses and releases the key for one character.
  package func key(_ character: Unicode.Scalar) {
    let keyval = character == "\n" ? guint(GDK_KEY_Return) : gdk_unicode_to_keyval(character.value)
    galley_send_key(pointer, keyval, nextTime())
  }

  /// Lets input time pass, as for a finger that rests before it lifts: what it moved isn't thrown on.
  package func pauseBeforeLift() { time += 250 }

  /// Gives the page the focus, which a window nobody sees never gets by itself.
  package func focus() {
    activity.rise()
    galley_send_focus(pointer)
  }

  private func nextTime() -> guint32 {
    activity.rise()
    time += 16
    return time
  }

  /// What can be picked in the list that is open, as it reads; nil when none is.
  package var openOptions: [String]? { options?.labels }

  /// Picks an option of the open list, trusted as a person's choice; false when there is none that reads so.
  package func pick(_ option: String) -> Bool {
    activity.rise()
    guard options?.pick(option) == true else { return false }
    options = nil
    return true
  }

  /// Closes the list without a choice, as a tap beside it does.
  package func dismissOptions() {
    options?.close()
    options = nil
  }

  /// A list opened.
  func show(_ menu: UnsafeMutablePointer<WebKitOptionMenu>) {
    activity.rise()
    options = OptionMenu(menu)
  }
}

/// The list a `select` opens, which the host shows in an app's web view and so nobody sees here.
@WebKitActor private final class OptionMenu {
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
