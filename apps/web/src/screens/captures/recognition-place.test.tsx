import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { StatusRecognition } from "@aglens/contract";
import { withAnswers } from "../../../test/answers.tsx";
import { RecognitionPlace } from "./recognition-place.tsx";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function shown(recognitions: readonly Partial<StatusRecognition>[]) {
  const others = { name: "", owner: null, running: 0, waiting: 0, before: 0 };
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    return Promise.resolve(
      Response.json({
        server: null,
        jobs: [],
        own: null,
        recognitions: recognitions.map((each) => ({ ...others, ...each })),
      }),
    );
  });
  vi.useFakeTimers();
  render(<RecognitionPlace captureId="a" />, { wrapper: withAnswers() });
  const atOnce = asked.length;
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect([atOnce, asked.length]).toEqual([0, 1]);
  return screen.queryByRole("status")?.textContent;
}

test("files that wait say how many others are read before them", async () => {
  const others = { captureId: "b", waiting: 9 };
  expect(await shown([others, { captureId: "a", waiting: 3, before: 2 }])).toBe(
    "3 files wait to be recognized, the next after 2 of other captures.",
  );
});

test("the next file has nobody before it", async () => {
  expect(await shown([{ captureId: "a", waiting: 1 }])).toBe("1 file waits to be recognized.");
});

test("nothing is said while a file is being read, or only others wait", async () => {
  expect(
    await shown([
      { captureId: "a", running: 1 },
      { captureId: "b", waiting: 4 },
    ]),
  ).toBeUndefined();
});
