import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askAhead, send } from "./request.ts";

beforeEach(() => {
  vi.useFakeTimers();
  let count = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(Response.json(++count)));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const answerTo = async (path: string, init?: RequestInit): Promise<unknown> =>
  (await send(path, init)).json() as Promise<unknown>;

test("who asks what was asked ahead gets that answer, the next one asks anew", async () => {
  askAhead("/captures/c/summary");
  expect(await answerTo("/captures/c/summary")).toBe(1);
  expect(await answerTo("/captures/c/summary")).toBe(2);
});

test("another address, and a change at the same one, do not get it", async () => {
  askAhead("/captures/c");
  expect(await answerTo("/captures/d")).toBe(2);
  expect(await answerTo("/captures/c", { method: "PATCH" })).toBe(3);
  // An answer from before the change is not used any more.
  expect(await answerTo("/captures/c")).toBe(4);
});

test("what nobody has asked within two seconds is asked anew", async () => {
  askAhead("/captures/c");
  vi.advanceTimersByTime(2_000);
  expect(await answerTo("/captures/c")).toBe(2);
});

test("a refusal reaches who asks", async () => {
  vi.mocked(fetch).mockResolvedValueOnce(
    Response.json(
      {
        type: "about:blank",
        title: "No capture",
        status: 404,
        code: "not-found",
        detail: "There is no such capture.",
      },
      { status: 404 },
    ),
  );
  askAhead("/captures/c");
  await expect(send("/captures/c")).rejects.toThrow("There is no such capture.");
});
