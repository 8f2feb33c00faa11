import { expect, test } from "vitest";
import { meaningOfEvent, RECORDED_EVENTS } from "./index.ts";

/** Modes that docs/contribute/model/events.md 1.1 has. */
const MODES: Readonly<Record<string, readonly number[]>> = {
  hadr_capture_log_block: [1, 2, 3, 4],
  hadr_receive_harden_lsn_message: [1, 2],
  hadr_transport_receive_log_block_message: [1, 2],
  hadr_send_harden_lsn_message: [1, 2, 3],
};

test("every event that a session records has a meaning, in each of its modes", () => {
  const without = RECORDED_EVENTS.flatMap((name) =>
    (MODES[name] ?? [null]).filter((mode) => meaningOfEvent(name, mode) === null).map((mode) => [name, mode]),
  );
  expect(without).toEqual([]);
});

test("an unknown event, and an unknown mode, have none", () => {
  expect(meaningOfEvent("wait_completed", null)).toBeNull();
  expect(meaningOfEvent("hadr_capture_log_block", 9)).toBeNull();
  expect(meaningOfEvent("hadr_apply_log_block", 1)).toContain("not redo");
});
