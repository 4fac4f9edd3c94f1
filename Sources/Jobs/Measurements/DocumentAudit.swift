package import MRAID

/// What the ad's document tells of itself, same-origin frames included.
package struct DocumentAudit: Hashable, Sendable, Codable {
  /// An element as a person would point at it.
  package struct Element: Hashable, Sendable, Codable {
    /// `image`, `link`, `control`, `media`, `frame`, `text`, `close`
    package var kind: String
    /// `img#logo.big`
    package var selector: String
    /// What it says: text or address, cut.
    package var text: String
    /// Where it is in the ad, in dip.
    package var frame: Rect
    package init(kind: String, selector: String, text: String, frame: Rect) {
      self.kind = kind
      self.selector = selector
      self.text = text
      self.frame = frame
    }
  }
  /// Text, and how large it is on the screen, transforms included.
  package struct Lettering: Hashable, Sendable, Codable {
    package var element: Element
    /// dip
    package var size: Double
    package init(element: Element, size: Double) {
      self.element = element
      self.size = size
    }
  }
  /// How far the page reaches beyond its view.
  package struct Overflow: Hashable, Sendable, Codable {
    /// dip to the right and below.
    package var x: Double
    package var y: Double
    /// Whether a person can scroll there.
    package var scrolls: Bool
    package init(x: Double, y: Double, scrolls: Bool) {
      self.x = x
      self.y = y
      self.scrolls = scrolls
    }
  }
  /// A close button of the creative's own.
  package struct CloseControl: Hashable, Sendable, Codable {
    package var element: Element
    /// Between its two foremost colours in the picture, from 1 to 21; nil when it wasn't pictured.
    package var contrast: Double?
    package init(element: Element, contrast: Double? = nil) {
      self.element = element
      self.contrast = contrast
    }
  }

  /// The `lang` of the document element; nil or empty when there is none.
  package var language: String?
  package var title: String?
  /// Whether the page holds more than was looked at.
  package var isCut: Bool
  /// What says nothing to who can't see it: images, links, controls and frames without a text alternative.
  package var unnamed: [Element]
  /// The smallest lettering, smallest first, ten at most.
  package var lettering: [Lettering]
  package var overflow: Overflow
  /// Text that the ad's edge or a box around it cuts through.
  package var clipped: [Element]
  /// Text that is to be seen and links whose addresses look as if something was to be filled in.
  package var placeholders: [Element]
  /// A box around all that it draws, whatever its view cuts off; nil when it draws nothing.
  package var drawn: Rect?
  package var closeControls: [CloseControl]
  package var media: [MediaElement]
  package var animations: AnimationAudit
  /// Canvases that are to be seen.
  package var canvases: Int

  package init(
    language: String? = nil, title: String? = nil, isCut: Bool = false, unnamed: [Element] = [],
    lettering: [Lettering] = [], overflow: Overflow = Overflow(x: 0, y: 0, scrolls: false), clipped: [Element] = [],
    placeholders: [Element] = [], drawn: Rect? = nil, closeControls: [CloseControl] = [], media: [MediaElement] = [],
    animations: AnimationAudit = AnimationAudit(),
    canvases: Int = 0
  ) {
    self.language = language
    self.title = title
    self.isCut = isCut
    self.unnamed = unnamed
    self.lettering = lettering
    self.overflow = overflow
    self.clipped = clipped
    self.placeholders = placeholders
    self.drawn = drawn
    self.closeControls = closeControls
    self.media = media
    self.animations = animations
    self.canvases = canvases
  }
}
