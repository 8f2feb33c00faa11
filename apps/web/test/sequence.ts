/** A slow log block with its events, as the API answers. */
import { recordOf, STAGE_IDS, type StageId } from "@aglens/ag-model/replication";
import type { Sequence, SequenceEvent } from "@aglens/contract";
import type { Frame } from "../src/charts/sequence/frame.ts";

/** Instants of block 00000022:00000167 of the capture of 2016, µs after its commit began. */
export function sequenceEvent(
  replica: number,
  name: string,
  fire: number,
  more: Partial<SequenceEvent> = {},
): SequenceEvent {
  return {
    secondary: null,
    replica,
    name,
    mode: null,
    begin: fire,
    fire,
    byPublish: false,
    duration: null,
    durationUnit: null,
    lsn: null,
    timestamp: "",
    fields: {},
    actions: {},
    file: String(replica),
    offset: fire,
    ...more,
  };
}

export const SLOW_BLOCK_EVENTS: readonly SequenceEvent[] = [
  sequenceEvent(0, "log_block_pushed_to_logpool", 42),
  sequenceEvent(0, "log_flush_start", 146),
  sequenceEvent(0, "hadr_log_block_send_complete", 530),
  sequenceEvent(0, "log_flush_complete", 5_562, { begin: null }),
  sequenceEvent(1, "hadr_transport_receive_log_block_message", 83_589, { begin: 83_505 }),
  sequenceEvent(1, "log_flush_start", 83_677),
  sequenceEvent(1, "hadr_apply_log_block", 83_722, { begin: 83_600 }),
  // Drift moves it 4.5 µs before the path's own instant.
  sequenceEvent(1, "log_flush_complete", 607_365, { begin: null }),
  sequenceEvent(1, "hadr_send_harden_lsn_message", 607_443),
  sequenceEvent(1, "hadr_lsn_send_complete", 607_695, { begin: 83_501 }),
  sequenceEvent(0, "hadr_receive_harden_lsn_message", 658_509, { begin: 658_425, secondary: 0 }),
  sequenceEvent(0, "recovery_unit_harden_log_timestamps", 658_546, { begin: 0 }),
  sequenceEvent(0, "hadr_db_commit_mgr_harden", 658_968, { begin: 442, byPublish: true }),
];

export const SLOW_BLOCK: Sequence = {
  row: 179,
  database: 0,
  phase: 0,
  lsn: "00000022:00000167",
  equalLsns: [],
  blockId: "146028888423",
  size: 512,
  time: 0,
  vlfStart: false,
  gate: 2,
  local: {
    commitStart: 0,
    pushedToLogPool: 38,
    localFlushStart: 146,
    localFlushEnd: 5_562,
    commitEnd: 658_546,
  },
  split: null,
  hops: [
    {
      secondary: 0,
      anchors: {
        sendStart: 63,
        departed: 424,
        sendEnd: 530,
        received: 83_505.5,
        secondaryFlushStart: 83_677.5,
        secondaryFlushEnd: 607_369.5,
        ackBuilt: 607_447.5,
        ackDeparted: 607_530.5,
        ackSent: 607_699.5,
        ackReceived: 658_425,
        ackProcessed: 658_509,
      },
      split: null,
      stages: [],
      remoteHarden: 658_446,
      remoteHardenRank: 100,
      pause: null,
      typical: recordOf(STAGE_IDS, () => null),
    },
  ],
  commits: [],
  events: SLOW_BLOCK_EVENTS as SequenceEvent[],
  previousInTime: 178,
  nextInTime: 180,
};

type Hop = Sequence["hops"][number];
type Stage = Hop["stages"][number];

const stage = (id: StageId, duration: number): Stage => ({
  id,
  from: null,
  to: null,
  duration,
  share: null,
  rank: null,
  typical: null,
  isPaused: false,
  uncertaintyUs: null,
  obtained: "measured",
});

/** From the send at 1 ms to the acknowledgment processed at 91 ms. */
export const EVEN_ANCHORS: Hop["anchors"] = {
  sendStart: 1_000,
  departed: 1_500,
  sendEnd: 2_000,
  received: 30_000,
  secondaryFlushStart: 31_000,
  secondaryFlushEnd: 61_000,
  ackBuilt: 61_200,
  ackDeparted: 61_500,
  ackSent: 62_000,
  ackReceived: 90_000,
  ackProcessed: 91_000,
};

/** One commit of 100 ms whose instants are round; see `EVEN_ANCHORS`. */
export const EVEN_BLOCK: Sequence = {
  ...SLOW_BLOCK,
  gate: 2,
  local: {
    commitStart: 0,
    pushedToLogPool: 500,
    localFlushStart: 1_000,
    localFlushEnd: 11_000,
    commitEnd: 100_000,
  },
  hops: [
    {
      ...SLOW_BLOCK.hops[0],
      anchors: EVEN_ANCHORS,
      stages: [stage("wireOut", 28_000), stage("networkRoundTrip", 56_000)],
      remoteHarden: 90_000,
      typical: recordOf(STAGE_IDS, () => null),
    },
  ],
  commits: [
    { start: 0, end: 100_000, queued: 1_000, wokenAfter: 9_000, rank: 100, gate: 2, timeToCommit: null },
  ],
  events: [],
};

/** Frame of the picture's parts for `EVEN_BLOCK`: 100 ms from 152 to 1,152 px, 10 px per ms. */
export const frameOf = (more: Partial<Frame> = {}): Frame => ({
  sequence: EVEN_BLOCK,
  secondary: 0,
  names: { primary: "SQL1", secondary: "SQL2" },
  secondaryHolds: true,
  missing: "no file of SQL2 in this capture",
  asynchronous: false,
  uncertaintyUs: null,
  even: false,
  lenses: true,
  width: 1_186,
  headline: null,
  hop: (more.sequence ?? EVEN_BLOCK).hops[0],
  x: (time) => 152 + time / 100,
  range: [0, 100_000],
  ...more,
});
