internal import Bundles
internal import Jobs

/// One of the creatives that fill a feed's slots in turn.
struct FeedCreative {
  let reference: CreativeReference
  /// What it is, or why it can't be opened.
  let bundle: Result<CreativeBundle, Fault>
}
