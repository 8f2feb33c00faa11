import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveState } from "./picture.ts";
import { useAlarm } from "./use-alarm.ts";

const SECOND = 1_000_000;

let sounds: number;
beforeEach(() => {
  sounds = 0;
  vi.stubGlobal(
    "AudioContext",
    class {
      currentTime = 0;
      destination = {};
      createOscillator = () => ({
        frequency: { value: 0 },
        connect: vi.fn(),
        addEventListener: vi.fn(),
        start: () => void sounds++,
        stop: vi.fn(),
      });
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A run with this p95 of commits at an instant, both µs. */
const stateAt = (now: number, p95: number | null, state: LiveState["state"] = "running"): LiveState =>
  ({
    state,
    now,
    title: "Friday",
    database: null,
    readouts: [
      { key: "commitP50", value: 900 * SECOND },
      { key: "commitP95", value: p95 },
    ],
  }) as unknown as LiveState;

function alarmed(control: string | null = null) {
  const hook = renderHook(({ state }) => useAlarm("run", control, state), {
    initialProps: { state: stateAt(0, 1_000) },
  });
  const run = (from: number, to: number, p95: number): void => {
    for (let s = from; s <= to; s++) hook.rerender({ state: stateAt(s * SECOND, p95) });
  };
  return { run, rerender: hook.rerender, alarm: () => hook.result.current };
}

test("the limit is in ms: commits of 40 ms don't ring at 50 ms, those of 60 ms ring once after five seconds", () => {
  const { run, alarm } = alarmed();
  expect(alarm()).toMatchObject({ isOn: false, limitMs: 50 });
  act(() => alarm().switchTo(true));
  run(1, 20, 40_000);
  expect(sounds).toBe(0);
  run(21, 25, 60_000);
  expect(sounds).toBe(0);
  run(26, 40, 60_000);
  expect(sounds).toBe(1);
});

test("another limit counts from then on", () => {
  const { run, alarm } = alarmed();
  act(() => alarm().switchTo(true));
  act(() => alarm().setLimitMs(200));
  run(1, 20, 199_000);
  expect(sounds).toBe(0);
  run(21, 30, 201_000);
  expect(sounds).toBe(1);
});

test("is silent while it is off, and once the run has ended", () => {
  const { run, rerender, alarm } = alarmed();
  run(1, 20, 900_000);
  act(() => alarm().switchTo(true));
  for (let s = 21; s < 40; s++) rerender({ state: stateAt(s * SECOND, 900_000, "stopped") });
  expect(sounds).toBe(0);
});

test("marks the run with the limit that was passed, where this page controls it", async () => {
  const sent = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(() =>
    Promise.resolve(new Response("{}")),
  );
  vi.stubGlobal("fetch", sent);
  const { run, alarm } = alarmed("secret");
  act(() => alarm().switchTo(true));
  run(1, 20, 60_000);
  await vi.dynamicImportSettled();
  expect(sent).toHaveBeenCalledTimes(1);
  expect(sent.mock.calls[0][1].body).toContain("Commit p95 over 50 ms");
});
