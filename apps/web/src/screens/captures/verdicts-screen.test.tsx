import type { Capture, Summary } from "@aglens/contract";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { captureOf } from "../../../test/capture.ts";
import { statisticsOfValue, summaryOf } from "../../../test/summary.ts";
import { VerdictsScreen } from "./verdicts-screen.tsx";

const p95 = (us: number): Summary => {
  const summary = summaryOf();
  return { ...summary, commits: { ...summary.commits, latency: { ...statisticsOfValue(us), p95: us } } };
};

/** Requests that change something. */
let writes: string[];

async function open(
  captures: readonly Capture[],
  p95s: Readonly<Record<string, number>> = {},
): Promise<void> {
  writes = [];
  vi.stubGlobal("fetch", (path: string, { method = "GET" }: RequestInit = {}) => {
    const [, id = "", rest = ""] = /\/captures\/([^/?]+)(\/.*)?$/u.exec(path) ?? [];
    if (method !== "GET") writes.push(`${method} ${id}${rest}`);
    if (rest.startsWith("/summary")) return Promise.resolve(Response.json(p95(p95s[id] ?? 0)));
    return Promise.resolve(Response.json(captures.find((capture) => capture.id === id)));
  });
  render(<VerdictsScreen ids={captures.map(({ id }) => id)} />, { wrapper: withAnswers() });
  await settled();
  await settled();
}

const opens = (): (string | null)[] =>
  screen.getAllByRole("button", { name: /^Open /u }).map((button) => button.getAttribute("aria-label"));

test("verdicts are in the order of p95, the slowest first, with the focus on it", async () => {
  await open(
    [
      captureOf({ id: "fast", name: "fast", state: "ready" }),
      captureOf({ id: "slow", name: "slow", state: "ready" }),
    ],
    { fast: 2_000, slow: 90_000 },
  );
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("2 captures analyzed");
  expect(opens()).toEqual(["Open slow", "Open fast"]);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Open slow");
  expect(screen.getByRole("button", { name: "Compare both" })).toBeTruthy();
});

test("one that failed is among them, and there is nothing to compare with it", async () => {
  await open(
    [captureOf({ id: "a", name: "a", state: "ready" }), captureOf({ id: "b", name: "b", state: "failed" })],
    { a: 1_000 },
  );
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("1 of 2 captures analyzed");
  expect(opens()).toHaveLength(2);
  expect(screen.queryByRole("button", { name: "Compare both" })).toBeNull();
});

test("stopping ends what is still analyzed, and nothing else", async () => {
  await open([
    captureOf({ id: "a", name: "a", state: "ready" }),
    captureOf({ id: "b", name: "b", state: "analysing" }),
  ]);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Analyzing 2 captures");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Stop analysis" })));
  expect(writes).toEqual(["DELETE b/analysis"]);
});
