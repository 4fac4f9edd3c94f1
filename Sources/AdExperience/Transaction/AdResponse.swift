/// What an ad request returned, before anything of it is understood.
package struct AdResponse: Hashable, Sendable {
  /// What it was found to be.
  package enum Form: String, Hashable, Sendable {
    /// A page, which is loaded from where it is.
    case page
    /// An OpenRTB bid response.
    case bid
    case vast
  }

  package var form: Form
  /// Empty for a page.
  package var body: [UInt8]
  /// What errors call it.
  package var name: String

  package init(form: Form, body: [UInt8] = [], name: String) {
    self.form = form
    self.body = body
    self.name = name
  }
}
