import { waitMs } from "@aglens/fixtures/patience";
import { vi } from "vitest";

/** Waits until something is so: far longer than it takes, and longer on a machine that is busy. */
export const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  // oxlint-disable-next-line eslint/no-restricted-properties -- with a time of its own
  await vi.waitUntil(is, { interval: 5, timeout: waitMs() });
};
