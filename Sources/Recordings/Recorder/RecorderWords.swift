package import Core

/// What a worker tells its recorder first: what to do about a render's requests.
package struct RecorderSetup: Codable, Hashable, Sendable {
  /// Where answers come from.
  package enum Source: String, Codable, Sendable {
    /// The network; nothing is kept.
    case network
    /// The network; all that comes is kept in `folder`.
    case recording
    /// What `folder` has, and nobody else.
    case replay
    /// What `folder` has, and the network for the rest.
    case replayOrNetwork
  }

  package var source: Source
  /// A recording's folder, absolute; nil with `network`.
  package var folder: String?
  /// Blocks of addresses that may be spoken to besides those that `reach` allows.
  package var allowed: [String]
  /// Whether nothing but `allowed` may be spoken to.
  package var isClosed: Bool
  /// Whether any address may be spoken to, this machine's own too.
  package var isOpen: Bool
  /// Faults as they are written, like `host=cdn.* status=503`.
  package var faults: [String]
  /// Whether the worker says when each response may be sent, in which case it is sent then.
  package var isScheduled: Bool
  /// Bytes of a body that are sent at once where its pace is the schedule's; 0 for all of it.
  package var pieceSize: Int

  /// The descriptor of the socket at which pages reach it, which its worker opened.
  package static let listener: Int32 = 3

  package init(
    source: Source, folder: String? = nil, allowed: [String] = [], isClosed: Bool = false, isOpen: Bool = false,
    faults: [String] = [], isScheduled: Bool = false, pieceSize: Int = 0
  ) {
    self.source = source
    self.folder = folder
    self.allowed = allowed
    self.isClosed = isClosed
    self.isOpen = isOpen
    self.faults = faults
    self.isScheduled = isScheduled
    self.pieceSize = pieceSize
  }
}

/// What a worker tells its recorder afterwards, a line each; see `RecorderLine`.
package enum RecorderRequest: Codable, Hashable, Sendable {
  /// What it asked to send may be sent; `now` is the render's time in milliseconds.
  case release(piece: Int, now: Double)
  /// It may never be sent: there is no network by now.
  case drop(piece: Int)
  /// Answer once all that had come by now is taken in.
  case sync(Int)
  /// The render is over: write what is open, say so and end.
  case finish
}

/// What a recorder says, a line each; see `RecorderLine`.
package enum RecorderEvent: Codable, Hashable, Sendable {
  /// It has begun and answers pages.
  case ready
  /// It has something to send; see `Piece`.
  case due(DuePiece)
  /// What was to be sent needn't be any more: who asked for it is gone.
  case withdrawn(piece: Int)
  /// So many requests wait for the network.
  case fetching(Int)
  /// A host that wasn't spoken to, and why: a stable word.
  case refused(host: String, code: String)
  /// The recording has no such request.
  case missing(MissingRequest)
  /// Answer to `sync`: all is taken in; `activity` rises with whatever comes from pages.
  case synced(Int, activity: Int)
  /// Everything is written; so many exchanges.
  case finished(exchanges: Int)
  /// It can't go on.
  case failed(Fault)
  /// It is gone; nothing else comes.
  case ended
}

/// Something that is to be sent to a page, in its turn.
package struct DuePiece: Codable, Hashable, Sendable {
  /// Its number, from 0.
  package var piece: Int
  /// What the engine takes time of the machine's to show comes behind all else of its instant, from this place on.
  package static let firstFilm = 10_000_000

  /// Orders what is due at the same instant: the place of its exchange, then its own in that.
  package var exchange: Int
  package var order: Int
  /// Milliseconds of the render's time after what it follows, before anything of a profile is added.
  package var after: Double
  /// Bytes that go over the wire with it.
  package var bytes: Int
  /// What it is.
  package var kind: Kind

  package enum Kind: String, Codable, Sendable {
    /// A response's head by a connection that had to be made; in the clear or with TLS.
    case firstHead, firstSecureHead
    /// A response's head by a connection that was there.
    case head
    /// A part of a body, or a message.
    case body
  }

  package init(piece: Int, exchange: Int, order: Int, after: Double, bytes: Int, kind: Kind) {
    self.piece = piece
    self.exchange = exchange
    self.order = order
    self.after = after
    self.bytes = bytes
    self.kind = kind
  }
}

/// A request that a recording has no answer to.
package struct MissingRequest: Codable, Hashable, Sendable {
  package var method: String
  package var url: String
  /// What of the recording is nearest, and what differs; empty for nothing like it.
  package var nearest: String

  package init(method: String, url: String, nearest: String) {
    self.method = method
    self.url = url
    self.nearest = nearest
  }
}
