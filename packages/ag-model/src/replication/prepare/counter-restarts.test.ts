import { describe, expect, test } from "vitest";
import { CounterRestarts, shiftAt } from "./counter-restarts.ts";

/** An event each second of UTC, of a server whose counter was at 40 h; its machine is down from `down` to `up` and its counter is at 30 s then. */
const HOURS = 40 * 3_600e6;
interface Life {
  readonly down: number;
  readonly up: number;
}

function events({ down, up }: Life, seconds = 40) {
  const at = Array.from({ length: seconds }, (_, s) => s).filter((s) => s < down || s >= up);
  return {
    utc: at,
    published: Float64Array.from(at, (s) => s * 1e7),
    counter: Float64Array.from(at, (s) => (s < down ? HOURS + s * 1e6 : (s - up + 30) * 1e6)),
  };
}

const moved = (counter: Float64Array, published: Float64Array, restarts = new CounterRestarts()) => {
  const fire = counter.slice();
  const start = restarts.moved(counter, fire, published);
  return { start, fire, found: restarts.found };
};

const REBOOT: Life = { down: 12, up: 25 };

describe("a counter that begins again", () => {
  test("goes on as UTC does, and the file's own values stay", () => {
    const { utc, published, counter } = events(REBOOT);
    const kept = counter.slice();
    const { start, fire, found } = moved(counter, published);
    expect([...start]).toEqual(utc.map((s) => HOURS + s * 1e6));
    expect(fire).toEqual(start);
    expect(counter).toEqual(kept);
    // At 25 s the counter is at 30 s: 40 h less 5 s were added. A second before that nothing had happened yet.
    expect(found).toEqual([{ at: HOURS + 24e6, shift: HOURS - 5e6 }]);
    expect([23, 24, 25].map((s) => shiftAt(found, HOURS + s * 1e6))).toEqual([0, HOURS - 5e6, HOURS - 5e6]);
  });

  test("is found between two parts, and again after another restart", () => {
    const { utc, counter, published } = events(REBOOT, 300);
    const restarts = new CounterRestarts();
    const part = (from: number, to: number) =>
      moved(counter.subarray(from, to), published.subarray(from, to), restarts).start;
    expect(part(0, 12)[11]).toBe(counter[11]);
    expect([...part(12, utc.length)]).toEqual(utc.slice(12).map((s) => HOURS + s * 1e6));
    // It booted again, and is at 31 s at 420 s.
    const again = moved(Float64Array.of(31e6, 32e6), Float64Array.of(420e7, 421e7), restarts).start;
    expect([...again]).toEqual([HOURS + 420e6, HOURS + 421e6]);
    expect(restarts.found.map(({ shift }) => shift)).toEqual([HOURS - 5e6, HOURS + 389e6]);
  });

  test("is none that stepped back while events arrived, fell by a minute at most, or is one late event", () => {
    const { counter, published } = events({ down: 12, up: 12 });
    expect(moved(counter, published).found).toEqual([]);
    // The last event before the silence has 40 h and 11 s, the first one after it that less 60 s, or 1 µs less.
    const silent = events(REBOOT);
    const fallen = (us: number) =>
      silent.counter.map((at, i) => (i < 12 ? at : HOURS + (silent.utc[i] - 25 + 11) * 1e6 - us));
    expect([60e6, 60e6 + 1].map((us) => moved(fallen(us), silent.published).found.length)).toEqual([0, 1]);
    const late = events({ down: 12, up: 25 });
    const one = late.counter.map((_, i) => (i === 12 ? HOURS - 3_600e6 : HOURS + late.utc[i] * 1e6));
    expect(moved(one, late.published).found).toEqual([]);
  });

  test("is not looked for in events without a counter, which stay as they are", () => {
    const none = new Float64Array(5).fill(Number.NaN);
    expect(moved(none, Float64Array.of(0, 1, 2, 3, 1e9)).start).toBe(none);
  });
});
