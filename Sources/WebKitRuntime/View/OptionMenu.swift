internal import CWebKitGTK

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
