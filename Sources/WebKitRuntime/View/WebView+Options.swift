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
