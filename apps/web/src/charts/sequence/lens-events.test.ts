import type { Sequence, SequenceEvent } from "@aglens/contract";
import { recordOf, STAGE_IDS } from "@aglens/ag-model/replication";
import { expect, test } from "vitest";
import { lensesOf } from "./lens-events.ts";

/** Instants are those of block 00000022:00000167 of the capture of 2016, µs after its commit began. */
function event(
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

const EVENTS = [
  event(0, "log_block_pushed_to_logpool", 42),
  event(0, "log_flush_start", 146),
  event(0, "hadr_log_block_send_complete", 530),
  event(0, "log_flush_complete", 5_562, { begin: null }),
  event(1, "hadr_transport_receive_log_block_message", 83_589, { begin: 83_505 }),
  event(1, "log_flush_start", 83_677),
  event(1, "hadr_apply_log_block", 83_722, { begin: 83_600 }),
  // Drift moves it 4.5 µs before the path's own instant.
  event(1, "log_flush_complete", 607_365, { begin: null }),
  event(1, "hadr_send_harden_lsn_message", 607_443),
  event(1, "hadr_lsn_send_complete", 607_695, { begin: 83_501 }),
  event(0, "hadr_receive_harden_lsn_message", 658_509, { begin: 658_425, secondary: 0 }),
  event(0, "recovery_unit_harden_log_timestamps", 658_546, { begin: 0 }),
  event(0, "hadr_db_commit_mgr_harden", 658_968, { begin: 442, byPublish: true }),
];

const BLOCK: Sequence = {
  row: 179,
  database: 0,
  lsn: "00000022:00000167",
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
      stages: [],
      remoteHarden: 658_446,
      remoteHardenRank: 100,
      typical: recordOf(STAGE_IDS, () => null),
    },
  ],
  commits: [],
  events: EVENTS,
  previousInTime: 178,
  nextInTime: 180,
};

const names = (block: Sequence, key: string, secondary = 0): string[] | undefined =>
  lensesOf(block, secondary)
    .find((lens) => lens.key === key)
    ?.events.map(({ name }) => name);

test("the secondary's log write parts what it did, also where drift moves the events", () => {
  expect(names(BLOCK, "receive")).toEqual([
    "hadr_transport_receive_log_block_message",
    "log_flush_start",
    "hadr_apply_log_block",
  ]);
  expect(names(BLOCK, "acknowledge")).toEqual([
    "log_flush_complete",
    "hadr_send_harden_lsn_message",
    "hadr_lsn_send_complete",
  ]);
});

test("lenses are as long as the stages that they magnify", () => {
  const length = Object.fromEntries(lensesOf(BLOCK, 0).map((lens) => [lens.key, Math.round(lens.length)]));
  expect(length).toEqual({ send: 488, receive: 172, acknowledge: 330, release: 121 });
});

test("an event that only its publish time places is not magnified", () => {
  expect(names(BLOCK, "release")).toEqual([
    "hadr_receive_harden_lsn_message",
    "recovery_unit_harden_log_timestamps",
  ]);
  const old = { ...BLOCK, events: EVENTS.map((e) => ({ ...e, byPublish: true })) };
  expect(names(old, "release")).toContain("hadr_db_commit_mgr_harden");
});

test("an acknowledgement that released nothing ends its lens", () => {
  expect(names({ ...BLOCK, gate: 1 }, "release")).toBeUndefined();
  expect(names({ ...BLOCK, gate: 1 }, "ack")).toEqual(["hadr_receive_harden_lsn_message"]);
});

test("a send that ends at another instant is that of another replica", () => {
  const two = { ...BLOCK, events: [...EVENTS, event(0, "hadr_log_block_send_complete", 498)] };
  expect(names(two, "send")).toEqual([
    "log_block_pushed_to_logpool",
    "log_flush_start",
    "hadr_log_block_send_complete",
  ]);
});
