import type { Sequence } from "@aglens/contract";
import { expect, test } from "vitest";
import { sequenceEvent, SLOW_BLOCK, SLOW_BLOCK_EVENTS } from "../../../test/sequence.ts";
import { lensesOf } from "./lens-events.ts";
import { lensTitle } from "./lens-text.ts";

const names = (block: Sequence, key: string, secondary = 0): string[] | undefined =>
  lensesOf(block, secondary)
    .find((lens) => lens.key === key)
    ?.events.map(({ name }) => name);

test("the secondary's log write parts what it did, also where drift moves the events", () => {
  expect(names(SLOW_BLOCK, "receive")).toEqual([
    "hadr_transport_receive_log_block_message",
    "log_flush_start",
    "hadr_apply_log_block",
  ]);
  expect(names(SLOW_BLOCK, "acknowledge")).toEqual([
    "log_flush_complete",
    "hadr_send_harden_lsn_message",
    "hadr_lsn_send_complete",
  ]);
});

test("lenses are as long as the stages that they magnify", () => {
  const length = Object.fromEntries(
    lensesOf(SLOW_BLOCK, 0).map((lens) => [lens.key, Math.round(lens.length ?? Number.NaN)]),
  );
  expect(length).toEqual({ send: 488, receive: 172, acknowledge: 330, release: 121 });
});

test("a stretch of which one end alone is known has no length, which is not 0", () => {
  const hops = SLOW_BLOCK.hops.map((hop) => ({ ...hop, anchors: { ...hop.anchors, received: null } }));
  const events = SLOW_BLOCK_EVENTS.filter(({ name }) => !/receive_log_block|apply_log_block/u.test(name));
  const receive = lensesOf({ ...SLOW_BLOCK, hops, events }, 0).find(({ key }) => key === "receive");
  expect(receive?.events.map(({ name }) => name)).toEqual(["log_flush_start"]);
  expect(receive?.length).toBeNull();
  expect(lensTitle(receive!, { primary: "SQL1", secondary: "SQL2" })).toBe("SQL2 receives");
});

test("an event that only its publish time places is not magnified", () => {
  expect(names(SLOW_BLOCK, "release")).toEqual([
    "hadr_receive_harden_lsn_message",
    "recovery_unit_harden_log_timestamps",
  ]);
  const old = { ...SLOW_BLOCK, events: SLOW_BLOCK_EVENTS.map((e) => ({ ...e, byPublish: true })) };
  expect(names(old, "release")).toContain("hadr_db_commit_mgr_harden");
});

test("an acknowledgment that released nothing ends its lens", () => {
  expect(names({ ...SLOW_BLOCK, gate: 1 }, "release")).toBeUndefined();
  expect(names({ ...SLOW_BLOCK, gate: 1 }, "ack")).toEqual(["hadr_receive_harden_lsn_message"]);
});

test("a send that ends at another instant is that of another replica", () => {
  const two = {
    ...SLOW_BLOCK,
    events: [...SLOW_BLOCK_EVENTS, sequenceEvent(0, "hadr_log_block_send_complete", 498)],
  };
  expect(names(two, "send")).toEqual([
    "log_block_pushed_to_logpool",
    "log_flush_start",
    "hadr_log_block_send_complete",
  ]);
});
