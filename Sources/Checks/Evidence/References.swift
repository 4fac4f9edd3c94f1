/// Names of files in a text.
package enum References {
  /// What stands in quotes or in `url()` and ends like a file that a page loads, in the text's order, without a scheme.
  package static func files(in text: String) -> [String] {
    text.matches(of: /["'(]([\w.\/@ -]{1,200}\.[A-Za-z0-9]{2,5})["')?#]/).map { String($0.1) }
      .filter { !$0.hasPrefix("//") }
  }
}
