package import Core

/// First message of a worker to its recorder: the treatment of a render's requests.
package struct RecorderSetup: Codable, Hashable, Sendable {
  /// Source of the answers.
  package enum Source: String, Codable, Sendable {
    /// The network; nothing is stored.
    case network
    /// The network; all answers are stored in `folder`.
    case recording
    /// The recording in `folder` only.
    case replay
    /// The recording in `folder`, and the network for requests that it doesn't have.
    case replayOrNetwork
  }

  package var source: Source
  /// Absolute path of a recording's folder; nil with `network`.
  package var folder: String?
  /// Blocks of addresses to which connections are allowed besides the usual ones.
  package var allowed: [String]
  /// Indicates if connections are allowed only to addresses in `allowed`.
  package var isClosed: Bool
  /// Indicates if connections to any address are allowed, including this machine's own.
  package var isOpen: Bool
  /// Faults in their text form, as `host=cdn.* status=503`.
  package var faults: [String]
  /// Indicates if the worker decides when each part of a response is sent.
  package var isScheduled: Bool
  /// Number of a body's bytes that are sent at once when the schedule sets the pace; 0 for all of them.
  package var pieceSize: Int

  /// Descriptor of the listening socket for pages, which the worker opened.
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

/// Later messages of a worker to its recorder, one per line; see `RecorderLine`.
package enum RecorderRequest: Codable, Hashable, Sendable {
  /// Permits the sending of a due piece; `now` is the render's time in milliseconds.
  case release(piece: Int, now: Double)
  /// Forbids the sending of a piece for good, as the simulated network has failed.
  case drop(piece: Int)
  /// Requests an answer after all bytes received so far were processed.
  case sync(Int)
  /// Ends the recorder: it writes open exchanges, reports that and exits.
  case finish
}

/// Messages of a recorder, one per line; see `RecorderLine`.
package enum RecorderEvent: Codable, Hashable, Sendable {
  /// It has started and answers pages.
  case ready
  /// It has a piece to send; see `ScheduledChunk`.
  case due(ScheduledChunk)
  /// A piece needn't be sent any more, as its client has closed the connection.
  case withdrawn(piece: Int)
  /// Number of requests that wait for the network.
  case fetching(Int)
  /// A connection to a host was refused; the code is a stable word.
  case refused(host: String, code: String)
  /// The recording doesn't have the request.
  case missing(MissingRequest)
  /// Answer to `sync`: all bytes were processed; `activity` rises with all traffic of pages.
  case synced(Int, activity: Int)
  /// All exchanges were written; their number.
  case finished(exchanges: Int)
  /// It can't continue.
  case failed(Fault)
  /// Its process has ended; no more messages follow.
  case ended
}

/// A part of a response that is to be sent to a page in its turn.
package struct ScheduledChunk: Codable, Hashable, Sendable {
  /// Number of the piece, from 0.
  package var piece: Int
  /// Offset of the places of video and audio, which the engine decodes in real time and so come last at their instant.
  package static let firstFilm = 10_000_000

  /// Place of the exchange; orders pieces that are due at one instant, before `order`, the place within the exchange.
  package var exchange: Int
  package var order: Int
  /// Milliseconds of the render's time after the preceding piece, without any delay of a network profile.
  package var after: Double
  /// Number of bytes on the wire.
  package var bytes: Int
  /// Kind of the piece.
  package var kind: Kind

  package enum Kind: String, Codable, Sendable {
    /// A response's head over a new connection: unencrypted, or with TLS.
    case firstHead, firstSecureHead
    /// A response's head over an existing connection.
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

/// A request for which a recording has no answer.
package struct MissingRequest: Codable, Hashable, Sendable {
  package var method: String
  package var url: String
  /// Most similar request in the recording and its difference; empty if there is none.
  package var nearest: String

  package init(method: String, url: String, nearest: String) {
    self.method = method
    self.url = url
    self.nearest = nearest
  }
}
