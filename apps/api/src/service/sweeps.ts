import type { Logger } from "pino";
import type { Clock } from "../kernel/clock.ts";
import { noteDiskUse } from "../status/disk-use.ts";
import type { DiskBytes } from "../store/space.ts";
import type { CaptureServices } from "./captures.ts";
import type { Stores } from "./stores.ts";

const SWEEP_MS = 10 * 60 * 1000;

interface SweepParts extends Pick<CaptureServices, "captures" | "uploads"> {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly diskBytes: () => DiskBytes;
  readonly log: Logger;
}

/** Every ten minutes: deletes expired data, and records how full the disk is. @param closing ends it */
export function beginSweeps(parts: SweepParts, closing: AsyncDisposableStack): void {
  const { captures, uploads, stores, clock, diskBytes, log } = parts;
  const steps: readonly (() => Promise<void> | void)[] = [
    // Drafts stay while files are sent to them.
    () => uploads.sweep(),
    () => captures.sweep(),
    () => stores.space.restoreReserve(),
    () => noteDiskUse(stores.facts, diskBytes(), clock.now()),
  ];
  const sweep = async (): Promise<void> => {
    for (const step of steps)
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await step();
      } catch (error) {
        // A failed step must not prevent the expiry of other data.
        log.error({ err: error }, "expiry sweep failed");
      }
  };
  let sweeping: Promise<void> = Promise.resolve();
  const end = clock.every(SWEEP_MS, () => {
    sweeping = sweep();
  });
  closing.defer(async () => {
    end();
    await sweeping;
  });
}
