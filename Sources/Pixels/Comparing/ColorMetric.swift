/// How the distance of two colours is measured; in both, 1 is the distance from black to white.
package enum ColorMetric: String, Sendable, CaseIterable {
  /// Kotsarenko and Ramos' weighted YIQ distance, as pixelmatch 7.2.0 and most of the field have it.
  case yiq
  /// Euclidean distance in OKLab (CSS Color 4, section 19): equal numbers look equally different.
  case oklab
}
