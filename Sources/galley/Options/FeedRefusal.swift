internal import ArgumentParser

/// What can't be done with a feed, and what does it instead.
enum FeedRefusal {
  static let explore = ValidationError(
    "--explore finds a way through one creative: explore it alone, in a slot of its feed's ad size (--size 300x250)")
  static let instants = ValidationError(
    "--at and --filmstrip show an ad that is left alone; in a feed a scenario goes there: advance: 5s, screenshot: name"
  )
  static let shard = ValidationError(
    "--shard shares creatives out, and a feed is one render of all of them: give each share a feed of its own")
  static let measure = ValidationError(
    "--measure watches one ad alone: measure the creative in a slot of its feed's ad size (--size 300x250)")
}
