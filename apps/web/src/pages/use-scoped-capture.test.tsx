import { addressesAtOnce } from "@aglens/contract";
import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../test/answers.tsx";
import { summaryOf } from "../../test/summary.ts";
import { captureAddress } from "../data/capture-address.ts";
import { DEFAULT_VIEW, type LinkedView } from "../state/view.ts";
import { useScopedCapture } from "./use-scoped-capture.ts";

const whole = summaryOf();
const [database] = whole.databases;
const SUMMARY = {
  ...whole,
  databases: ["Sales1", "Sales2"].map((name) => ({ ...database, id: name, name })),
};
const { commits, stages, shares, flushClasses } = whole;
const scopeOf = (sentence: string) => ({
  commits,
  stages,
  shares,
  flushClasses,
  verdict: { ...whole.verdict, sentence },
});

/** Answers of the server by address, returned when the test resolves them. */
const waiting = new Map<string, (value: unknown) => void>();
beforeEach(() => {
  window.history.replaceState(null, "", "/captures/c");
  vi.spyOn(globalThis, "fetch").mockImplementation((address) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const given = (value: unknown, status = 200): void => resolve(Response.json(value, { status }));
    const url = address instanceof Request ? address.url : new URL(address, "http://page").href;
    waiting.set(url.replace(/^.*\/captures\//u, ""), given);
    return promise;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  waiting.clear();
});

const ADDRESS = captureAddress("c");
const viewOf = (name: string | null): LinkedView => ({ ...DEFAULT_VIEW, database: name });
const answer = (address: string, value: unknown) => settled(() => waiting.get(address)?.(value));

async function opened(isOverview = false) {
  const hook = renderHook(({ view }) => useScopedCapture(ADDRESS, view, isOverview), {
    initialProps: { view: viewOf(null) },
    wrapper: withAnswers(),
  });
  await answer("c/summary", SUMMARY);
  const seen = () => {
    const { shown, isBusy } = hook.result.current;
    return [shown?.view.database, shown?.summary.verdict.sentence, isBusy];
  };
  const choose = (name: string | null) => settled(() => hook.rerender({ view: viewOf(name) }));
  return { seen, choose };
}

test("what an overview asks first is sent with the summary's answer, before the overview is there; of another screen nothing is", async () => {
  await opened();
  expect([...waiting.keys()]).toEqual(["c/summary"]);
  waiting.clear();
  await opened(true);
  const first = addressesAtOnce(SUMMARY, "").map((address) => `c/${address}`);
  expect(first.length).toBeGreaterThan(4);
  await waitFor(() => expect([...waiting.keys()]).toEqual(["c/summary", ...first]));
});

test("the capture stays as it was until all of another database is there", async () => {
  const { seen, choose } = await opened();
  const sentence = whole.verdict.sentence;
  expect(seen()).toEqual([null, sentence, false]);
  await choose("Sales1");
  expect(seen()).toEqual([null, sentence, true]);
  await answer("c/scope?database=0", scopeOf("Sales1 is slow."));
  expect(seen()).toEqual(["Sales1", "Sales1 is slow.", false]);
  // The verdict of one is never under the name of the other.
  await choose("Sales2");
  expect(seen()).toEqual(["Sales1", "Sales1 is slow.", true]);
  await answer("c/scope?database=1", scopeOf("Sales2 is fast."));
  expect(seen()).toEqual(["Sales2", "Sales2 is fast.", false]);
  await choose(null);
  expect(seen()).toEqual([null, sentence, false]);
});

const linked = (database: string | null) => {
  const view = { ...DEFAULT_VIEW, block: { database, lsn: "00000022:00000167" } };
  return renderHook(() => useScopedCapture(ADDRESS, view, false), { wrapper: withAnswers() });
};
const FIND = "c/find?lsn=00000022%3A00000167";
const found = (row: number, of: number, lsn = "00000022:00000167") => ({ row, database: of, lsn, time: row });

test("a block that a link names is selected by its row once it is found, and nothing is shown before", async () => {
  const { result } = linked("Sales2");
  await answer("c/summary", SUMMARY);
  expect(result.current.shown).toBeNull();
  await answer(FIND, { rows: [found(9, 1, "00000016:00000167"), found(640, 0), found(711, 1)] });
  expect(result.current.shown?.view.block).toBe(711);
});

test("a link that names a database's block selects none of another database, also where the capture has one alone", async () => {
  const { result } = linked("Sales2");
  await answer("c/summary", whole);
  await answer(FIND, { rows: [found(640, 0)] });
  expect(whole.databases.map(({ name }) => name)).toEqual(["Payroll"]);
  expect(result.current.shown?.view.block).toBeNull();
  expect(result.current.shown?.missingBlock?.database).toBe("Sales2");
});

test.each(["Payroll", null])(
  "a link with %s as its database finds the block of the only one",
  async (name) => {
    const { result } = linked(name);
    await answer("c/summary", whole);
    await answer(FIND, { rows: [found(640, 0)] });
    expect(result.current.shown?.view.block).toBe(640);
    expect(result.current.shown?.missingBlock).toBeNull();
  },
);

test.each([
  ["a database that the capture does not have", "Sales3", [found(640, 0)]],
  ["an LSN that the capture does not have", "Sales1", []],
])("a link that names %s selects no block, and which is missing is known", async (_, name, rows) => {
  const { result } = linked(name);
  await answer("c/summary", SUMMARY);
  await answer(FIND, { rows });
  expect(result.current.shown?.view.block).toBeNull();
  expect(result.current.shown?.missingBlock).toEqual({ database: name, lsn: "00000022:00000167" });
});
