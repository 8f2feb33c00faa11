import { expect, test } from "vitest";
import { shortNameOfEvent } from "./event-names.ts";

test("short names lose what all share, and keep their mode", () => {
  expect(shortNameOfEvent("hadr_transport_receive_log_block_message", 2)).toBe("receive_log_block 2");
  expect(shortNameOfEvent("hadr_send_harden_lsn_message", 3)).toBe("send_harden_lsn 3");
  expect(shortNameOfEvent("recovery_unit_harden_log_timestamps", null)).toBe("recovery_unit_harden");
  expect(shortNameOfEvent("log_flush_start", null)).toBe("log_flush_start");
});
