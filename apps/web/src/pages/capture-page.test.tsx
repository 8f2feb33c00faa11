/**
 * Requests of a page after its capture was analyzed: between that moment and the overview no request waits for an
 * answer twice.
 */
import { addressesAtOnce, type Capture, type ReadyCapture, type Summary } from "@aglens/contract";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../test/answers.tsx";
import { captureFile } from "../../test/capture-file.ts";
import { captureOf } from "../../test/capture.ts";
import { FakeEvents } from "../../test/fake-events.ts";
import { fakeScreen } from "../../test/fake-screen.ts";
import { summaryOf } from "../../test/summary.ts";
import { lazyScreen } from "../frame/lazy-screen.tsx";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import { CapturePage } from "./capture-page.tsx";

const SUMMARY: Summary = summaryOf();

/** The capture on the server; another one in each test, since answers are kept for a while. */
let capture: Capture;
let count = 0;
/** Addresses below the capture's, in the order of the requests. */
let asked: string[];

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
  capture = captureOf({ id: `c${++count}`, state: "analysing" });
  asked = [];
  FakeEvents.newest = null;
  window.history.replaceState(null, "", "/captures/c");
  vi.stubGlobal("EventSource", FakeEvents);
  vi.stubGlobal("fetch", (address: string) => {
    const question = address.replace(`/api/v1/captures/${capture.id}`, "");
    asked.push(question);
    if (question === "") return Promise.resolve(Response.json(capture));
    return question === "/summary" ? Promise.resolve(Response.json(SUMMARY)) : new Promise(() => {});
  });
  return () => vi.unstubAllGlobals();
});

/** The page of a capture whose analysis is watched, and ends. */
async function watchToTheEnd(tab: "overview" | "timeline", news: Partial<ReadyCapture>): Promise<void> {
  const Screen = lazyScreen(() => Promise.resolve(() => "the screen"));
  render(<CapturePage id={capture.id} tab={tab} Screen={Screen} />, { wrapper: withAnswers() });
  await waitFor(() => expect(FakeEvents.newest).not.toBeNull());
  asked = [];
  capture = { ...capture, state: "ready" };
  await settled(() => FakeEvents.newest?.tell("ready", { ...capture, ...news }));
  await waitFor(() => expect(document.body.textContent).toContain("the screen"));
}

const FIRST = addressesAtOnce(SUMMARY, "").map((address) => `/${address}`);

test("an overview asks its first questions with the news, and neither the capture nor its summary", async () => {
  await watchToTheEnd("overview", { summary: SUMMARY });
  expect(FIRST.length).toBeGreaterThan(3);
  expect(asked.slice(0, FIRST.length)).toEqual(FIRST);
  expect(asked).not.toContain("");
  expect(asked).not.toContain("/summary");
});

test("another screen asks none of them", async () => {
  await watchToTheEnd("timeline", { summary: SUMMARY });
  expect(asked).not.toEqual(expect.arrayContaining([FIRST[0]]));
});

test("without a summary in the news it is asked for", async () => {
  await watchToTheEnd("overview", {});
  expect(asked).toEqual(["/summary", ...FIRST]);
});

test("evidence is asked after the first answers, where the capture has such a file", async () => {
  capture = { ...capture, files: [captureFile({ kind: "evidence" })] };
  await watchToTheEnd("overview", {});
  expect(asked).toEqual(["/summary", ...FIRST, "/evidence"]);
});

test("the summary of the analysis before is forgotten when the capture is analyzed again", async () => {
  capture = { ...capture, state: "ready" };
  const Screen = lazyScreen(() =>
    Promise.resolve(() => {
      const { onChanged } = useCapture();
      return (
        <button type="button" onClick={onChanged}>
          read again
        </button>
      );
    }),
  );
  render(<CapturePage id={capture.id} tab="timeline" Screen={Screen} />, { wrapper: withAnswers() });
  const button = await screen.findByRole("button", { name: "read again" });
  capture = { ...capture, state: "analysing" };
  await settled(() => fireEvent.click(button));
  await waitFor(() => expect(FakeEvents.newest).not.toBeNull());
  asked = [];
  capture = { ...capture, state: "ready" };
  await settled(() => FakeEvents.newest?.tell("ready", null));
  await screen.findByRole("button", { name: "read again" });
  expect(asked).toContain("/summary");
});
