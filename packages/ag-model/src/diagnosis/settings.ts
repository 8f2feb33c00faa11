/** Least excess of a stage over its quiet part that is reported: in µs, and as a share of the quiet part. */
export interface ExcessLimit {
  readonly us: number;
  readonly share: number;
}

/** Thresholds of the rules. Those with a source in `docs/contribute/model/diagnosis.md` 6.2 are published; the others are product defaults. */
export interface Settings {
  /** Width of the bins that are compared with the quiet part, µs, and the least number of blocks in a bin. */
  readonly binUs: number;
  readonly binBlocks: number;
  /** Least share of the bins that counts as quiet: the quiet level is this percentile of the bins' medians. */
  readonly quietShare: number;
  /**
   * Share of slow blocks from which a period is slow, and the number of slow blocks that it has to contain beyond
   * that share.
   */
  readonly slowShare: number;
  readonly slowBlocks: number;
  /**
   * Least excess for a window: of log writes, of everything else on a commit's path, of an asynchronous replica's lag.
   */
  readonly writeExcess: ExcessLimit;
  readonly handlingExcess: ExcessLimit;
  readonly lagExcess: ExcessLimit;
  /** Part of all commit time that a window has to cost, so that a few blocks of a busy moment do not make one. */
  readonly windowShare: number;
  /**
   * A slow aspect is reported where one of its windows lasts this long, µs, or all of them are this part of the time or
   * have this part of the commits: less is a burst.
   */
  readonly lastingUs: number;
  readonly lastingShare: number;
  readonly lastingCommits: number;
  /** Least share of the time over its limit throughout that windows contain, so that the sentence names them. */
  readonly troubleShare: number;
  /** Share of the mean commit latency under which a finding about time gets no severity. */
  readonly noticeShare: number;
  /** A window that makes commits this much slower on average is severe, µs. */
  readonly slowEffectUs: number;
  /** D0: commits whose p95 stays under this are fine, µs. */
  readonly commitP95Us: number;
  /** D13: least share of the time of the commits over `commitP95Us` that a path takes which can't be split. */
  readonly unsplitShare: number;
  /**
   * D1 and D2: least share of slow log writes with known parts, and of their time that a part takes, so that the part
   * is named.
   */
  readonly splitShare: number;
  readonly partShare: number;
  /** D3: round trip that is reported where it is the largest part, on any synchronous replica, and severe, µs. */
  readonly roundTripLanUs: number;
  readonly roundTripUs: number;
  readonly roundTripSevereUs: number;
  /** D4: send p95 in µs, and share of remote harden. */
  readonly sendP95Us: number;
  readonly sendShare: number;
  /** D5: compression or decompression p95, µs. */
  readonly compressionP95Us: number;
  /**
   * D6: p50 of the wait to be grouped on 2016 and later (by design up to 10 ms) and the wait that is too long for any
   * version, µs.
   */
  readonly queueP50Us: number;
  readonly queueLongUs: number;
  /** D6: p50 from which a wait by design is a notice, where nothing takes a larger part of commits, µs. */
  readonly queueNoticeUs: number;
  /** D7: part of the capture spent in flow control. */
  readonly flowControlShare: number;
  /** D8: p95 in µs of work outside the disk on the secondary, and its share of the secondary's time. */
  readonly secondaryWorkP95Us: number;
  readonly secondaryWorkShare: number;
  /** D9: p95 of acknowledgment and wake-up together, µs. */
  readonly ackP95Us: number;
  /** D10: a commit this long is a stall, µs (hadr_db_commit_mgr_harden_still_waiting fires at 2 s). */
  readonly stallUs: number;
  /** D11: last acknowledgment in this part of the commits, and this factor over the next replica. */
  readonly imbalanceShare: number;
  readonly imbalanceFactor: number;
  /** D13: part of blocks unmatched, and part of anchors by fallback. */
  readonly unmatchedShare: number;
  readonly fallbackShare: number;
  /** D15: share of a server's lost events that is reported, and that is a notice; least number of lost events. */
  readonly lostShare: number;
  readonly lostNoticeShare: number;
  readonly lostEvents: number;
}

export const DEFAULT_SETTINGS: Settings = {
  binUs: 1_000_000,
  binBlocks: 8,
  quietShare: 0.2,
  slowShare: 0.4,
  slowBlocks: 6,
  writeExcess: { us: 1_000, share: 0.4 },
  handlingExcess: { us: 700, share: 0.3 },
  lagExcess: { us: 20_000, share: 1 },
  windowShare: 0.005,
  lastingUs: 500_000,
  lastingShare: 0.01,
  lastingCommits: 0.1,
  troubleShare: 0.25,
  noticeShare: 0.1,
  slowEffectUs: 10_000,
  commitP95Us: 10_000,
  unsplitShare: 0.25,
  splitShare: 0.5,
  partShare: 0.5,
  roundTripLanUs: 2_000,
  roundTripUs: 5_000,
  roundTripSevereUs: 20_000,
  sendP95Us: 1_000,
  sendShare: 0.1,
  compressionP95Us: 1_000,
  queueP50Us: 1_000,
  queueLongUs: 10_000,
  queueNoticeUs: 3_000,
  flowControlShare: 0.01,
  secondaryWorkP95Us: 1_000,
  secondaryWorkShare: 0.2,
  ackP95Us: 1_000,
  stallUs: 2_000_000,
  imbalanceShare: 0.8,
  imbalanceFactor: 2,
  unmatchedShare: 0.05,
  fallbackShare: 0.1,
  lostShare: 0.002,
  lostNoticeShare: 0.05,
  lostEvents: 10,
};
