import { WAIT_MS } from "@aglens/fixtures/patience";
import { vi } from "vitest";

/** Waits until something is so: far longer than it takes. */
export const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  // oxlint-disable-next-line eslint/no-restricted-properties -- with a time of its own
  await vi.waitUntil(is, { interval: 5, timeout: WAIT_MS });
};
