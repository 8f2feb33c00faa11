import { describe, expect, it } from "vitest";
import { Lateness } from "./lateness.ts";
import { RunNow } from "./run-now.ts";

const SECOND = 1_000_000;

describe("the lateness of a replica", () => {
  it("is not known before its first event", () => {
    const lateness = new Lateness();
    expect(lateness.lateUs).toBeNaN();
    expect(lateness.disorderUs).toBe(0);
  });

  /** One row with the age of its oldest event. */
  const row = (ageUs: number, disorderUs = 0) => ({ oldestUs: ageUs, spanUs: 0, disorderUs });

  it("is the largest of the last minute, each by itself", () => {
    const lateness = new Lateness();
    lateness.note(10 * SECOND, row(5 * SECOND, 100));
    lateness.note(30 * SECOND, row(SECOND, 3000));
    expect([lateness.lateUs, lateness.disorderUs]).toEqual([5 * SECOND, 3000]);
    lateness.note(70 * SECOND - 1, row(2 * SECOND));
    expect(lateness.lateUs).toBe(5 * SECOND);
    lateness.note(70 * SECOND, row(2 * SECOND));
    expect([lateness.lateUs, lateness.disorderUs]).toEqual([2 * SECOND, 3000]);
  });

  it("stays known through a silence, and is never less than nothing", () => {
    const lateness = new Lateness();
    lateness.note(10 * SECOND, row(5 * SECOND, -7));
    expect([lateness.lateUs, lateness.disorderUs]).toEqual([5 * SECOND, 0]);
    lateness.note(500 * SECOND, row(-3));
    expect(lateness.lateUs).toBe(0);
  });

  it("is not the age of rows that waited for each other, which is told apart from it", () => {
    const lateness = new Lateness();
    // Eight rows, one of each second, arrived together.
    lateness.note(10 * SECOND, { oldestUs: 8 * SECOND, spanUs: 7 * SECOND, disorderUs: 0 });
    expect([lateness.oldestUs, lateness.lateUs, lateness.waitedUs]).toEqual([8e6, Number.NaN, 8e6]);
    // Two rows of a session that sends one each second arrive within one picture.
    lateness.note(11 * SECOND, { oldestUs: 2.5 * SECOND, spanUs: SECOND, disorderUs: 0 });
    // A row that arrives alone and old is late.
    lateness.note(20 * SECOND, row(4 * SECOND));
    expect([lateness.oldestUs, lateness.lateUs, lateness.waitedUs]).toEqual([8e6, 4e6, 8e6]);
    // All samples are dropped after a minute.
    lateness.note(80 * SECOND, row(SECOND));
    expect([lateness.oldestUs, lateness.lateUs, lateness.waitedUs]).toEqual([1e6, 1e6, Number.NaN]);
  });
});

describe("the time of the primary now", () => {
  it("is the caller's clock while events follow it closely, and the events' where they are far from it", () => {
    const close = new RunNow();
    close.update(10 * SECOND, 8 * SECOND, true, Number.NaN);
    expect(close.now).toBe(10 * SECOND);
    const far = new RunNow();
    far.update(10 * SECOND, 6 * SECOND, true, Number.NaN);
    expect(far.now).toBe(6 * SECOND);
    far.update(11 * SECOND, 6 * SECOND, false, Number.NaN);
    expect(far.now).toBe(7 * SECOND);
  });

  it("is what was measured, however late events are", () => {
    const now = new RunNow();
    now.update(10 * SECOND, 2 * SECOND, true, 0);
    expect(now.now).toBe(10 * SECOND);
    now.update(11 * SECOND, 12 * SECOND, true, 5 * SECOND);
    expect(now.now).toBe(16 * SECOND);
  });

  it("is put back by a measurement, not by its trembling", () => {
    const now = new RunNow();
    now.update(10 * SECOND, 9 * SECOND, true, Number.NaN);
    now.update(10 * SECOND, 9 * SECOND, false, -240_000);
    expect(now.now).toBe(10 * SECOND);
    now.update(10 * SECOND, 9 * SECOND, false, -260_000);
    expect(now.now).toBe(10 * SECOND - 260_000);
    // No event can be later than now.
    now.update(10 * SECOND, 9 * SECOND, false, -5 * SECOND);
    expect(now.now).toBe(9 * SECOND);
  });
});
