internal import CWebKitGTK
internal import Core
package import Engine

/// Input of a user to a page: touches, mouse, keys, and choices from lists. The engine treats it as a real user's.
@EngineActor package final class PageInput {
  /// Phase of a touch or of a mouse button at a point.
  package enum PointerPhase: Sendable {
    case down, move, up
  }

  private let pointer: UnsafeMutablePointer<WebKitWebView>
  private let activity: PageActivity
  /// Source of the page's time since its beginning; nil for the machine's time.
  package var pageTime: (@EngineActor () -> Duration)?
  /// X time at which the view was made.
  private let beginning = PageInput.machineTime
  /// X time of the last input event; it never decreases.
  private var time: guint32 = 0
  /// Milliseconds by which input is ahead of the page's time, as pauses before a lift pass only for the input.
  private var ahead: UInt32 = 0
  /// X time of the last tap.
  private var lastTap: guint32?
  /// List of a tapped `select` that waits for a choice; nil if none is open.
  private var options: OptionMenu?

  init(_ pointer: UnsafeMutablePointer<WebKitWebView>, _ activity: PageActivity) {
    (self.pointer, self.activity) = (pointer, activity)
  }

  /// Sends one phase of a drag with a finger, in dip from the view's top-left; neither mouse events nor a click follow
  /// it.
  package func drag(_ phase: PointerPhase, x: Double, y: Double) {
    lastTap = nil
    touch(phase, x, y)
  }

  /// Sends a touch's beginning and end, in dip from the view's top-left, and no other event.
  func touch(x: Double, y: Double) {
    touch(.down, x, y)
    touch(.up, x, y)
  }

  /// Makes the engine send the mouse events and the click of that touch, unless the page has prevented them.
  ///
  /// The page must have handled the touch before: see `ScriptCalls.flushInput`.
  func click(x: Double, y: Double) {
    let now = nextTime()
    let follows = lastTap.map { now &- $0 < Self.doubleTapTime } ?? false
    lastTap = follows ? nil : now
    galley_count_taps(follows ? 1 : 0, 1)
    let isHeard = touch(.down, x, y, taps: true)
    galley_count_taps(follows ? 1 : 0, 0)
    guard isHeard else { return [PointerPhase.move, .down, .up].forEach { mouse($0, x: x, y: y) } }
    touch(.up, x, y, taps: true)
  }

  /// Milliseconds within which two taps make a double tap.
  private static let doubleTapTime: UInt32 = 300

  @discardableResult
  private func touch(_ phase: PointerPhase, _ x: Double, _ y: Double, taps: Bool = false) -> Bool {
    let kind =
      switch phase {
      case .down: GDK_TOUCH_BEGIN
      case .move: GDK_TOUCH_UPDATE
      case .up: GDK_TOUCH_END
      }
    return galley_send_touch(pointer, kind.rawValue, x, y, nextTime(), 1, taps ? 1 : 0) != 0
  }

  /// Sends one phase of a mouse gesture, in dip from the view's top-left.
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

  /// Lets 250 ms of input time pass, as if a finger rested before it lifts, so that the engine doesn't continue its
  /// movement.
  package func pauseBeforeLift() { ahead += 250 }

  /// Gives the page the focus, which a window off the screen never gets by itself.
  package func focus() {
    activity.rise()
    galley_send_focus(pointer)
  }

  /// Current X time.
  ///
  /// The X server's own events follow the machine's clock, and the engine counts from the first event that it sees.
  private static var machineTime: guint32 { UInt32(truncatingIfNeeded: g_get_monotonic_time() / 1_000) }

  private func nextTime() -> guint32 {
    activity.rise()
    let passed = pageTime.map { UInt32(truncatingIfNeeded: Bounded.int($0() / .milliseconds(1), in: 0...Int.max)) }
    let now = passed.map { beginning &+ $0 } ?? Self.machineTime
    // Numbers of 32 bits begin anew after 49 days.
    if time == 0 || Int32(bitPattern: now &+ ahead &- time) > 0 { time = now &+ ahead }
    return time
  }

  /// Labels of the enabled options in the open list; nil if no list is open.
  package var openOptions: [String]? { options?.labels }

  /// Picks an option of the open list, which the engine treats as a user's choice; false if none has this label.
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

  /// Keeps the list that has opened.
  func show(_ menu: UnsafeMutablePointer<WebKitOptionMenu>) {
    activity.rise()
    options = OptionMenu(menu)
  }
}

/// List that a `select` opens, which an app's host would show, and which isn't displayed here.
@EngineActor private final class OptionMenu {
  private let pointer: UnsafeMutablePointer<WebKitOptionMenu>

  init(_ menu: UnsafeMutablePointer<WebKitOptionMenu>) {
    pointer = menu
    g_object_ref(UnsafeMutableRawPointer(menu))
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// Labels of the enabled options.
  var labels: [String] { (0..<webkit_option_menu_get_n_items(pointer)).compactMap(label) }

  /// Picks the first option with this label and closes the list; false if there is none.
  func pick(_ wanted: String) -> Bool {
    let found = (0..<webkit_option_menu_get_n_items(pointer)).first { label(of: $0) == wanted }
    guard let found else { return false }
    webkit_option_menu_activate_item(pointer, found)
    close()
    return true
  }

  func close() { webkit_option_menu_close(pointer) }

  /// Returns the label of an option; nil for headings and disabled options.
  private func label(of index: guint) -> String? {
    guard let item = webkit_option_menu_get_item(pointer, index), webkit_option_menu_item_is_enabled(item) != 0,
      webkit_option_menu_item_is_group_label(item) == 0
    else { return nil }
    return webkit_option_menu_item_get_label(item).map { String(cString: $0) }
  }
}
