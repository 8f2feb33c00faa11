/** Thresholds of the rules. Those tagged with a source are published; the others are product defaults. */
export interface Settings {
  /** Width of the windows that episodes are made of, µs (docs/model.md 6.3). */
  readonly windowUs: number;
  /** Blocks under which a window says nothing about itself. */
  readonly windowBlocks: number;
  /** A window is far from the rest when a stage's mean is this many times the rest's median window... */
  readonly episodeFactor: number;
  /** ...and longer by this many µs. */
  readonly episodeExcessUs: number;
  /** Slow blocks under which a stretch is no episode. */
  readonly episodeBlocks: number;
  /** D0: commits whose p95 stays under this are fine, µs. */
  readonly commitP95Us: number;
  /** D3: round trip worth a word on a LAN, on any synchronous replica, and severe, µs. */
  readonly roundTripLanUs: number;
  readonly roundTripUs: number;
  readonly roundTripSevereUs: number;
  /** D4: send p95 in µs, and share of remote harden. */
  readonly sendP95Us: number;
  readonly sendShare: number;
  /** D5: compression or decompression p95, µs. */
  readonly compressionP95Us: number;
  /** D6: p50 of the commit queue on 2016 and later (by design up to 10 ms, MS-GCT) and what is too long for any, µs. */
  readonly queueP50Us: number;
  readonly queueLongUs: number;
  /** D7: part of the capture spent in flow control. */
  readonly flowControlShare: number;
  /** D8: p95 in µs of work outside the disk on the secondary, and its share of the secondary's time. */
  readonly secondaryWorkP95Us: number;
  readonly secondaryWorkShare: number;
  /** D9: p95 of acknowledgement receive and of commit wake-up, µs. */
  readonly ackP95Us: number;
  /** D10: a commit this long is a stall, µs (hadr_db_commit_mgr_harden_still_waiting fires at 2 s, MS-2S). */
  readonly stallUs: number;
  /** D11: last acknowledgement in this part of the commits, and this factor over the next replica. */
  readonly imbalanceShare: number;
  readonly imbalanceFactor: number;
  /** D13: part of blocks unmatched, and part of anchors by fallback. */
  readonly unmatchedShare: number;
  readonly fallbackShare: number;
}

export const DEFAULT_SETTINGS: Settings = {
  windowUs: 5_000_000,
  windowBlocks: 3,
  episodeFactor: 5,
  episodeExcessUs: 10_000,
  episodeBlocks: 5,
  commitP95Us: 10_000,
  roundTripLanUs: 2_000,
  roundTripUs: 5_000,
  roundTripSevereUs: 20_000,
  sendP95Us: 1_000,
  sendShare: 0.1,
  compressionP95Us: 1_000,
  queueP50Us: 1_000,
  queueLongUs: 10_000,
  flowControlShare: 0.01,
  secondaryWorkP95Us: 1_000,
  secondaryWorkShare: 0.2,
  ackP95Us: 1_000,
  stallUs: 2_000_000,
  imbalanceShare: 0.8,
  imbalanceFactor: 2,
  unmatchedShare: 0.05,
  fallbackShare: 0.1,
};
