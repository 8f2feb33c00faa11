import { cleanup, screen } from "@testing-library/react";
import type { Summary, WatchEpisode } from "@aglens/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { type FakeScreen, fakeScreen } from "../../../test/fake-screen.ts";
import { type Answers, openCapture } from "../../../test/open-capture.tsx";
import { overviewOf } from "../../../test/overview.ts";
import { rangeStatistics } from "../../../test/summary.ts";
import { watch, watchedReplica, watchEpisode } from "../../../test/watch.ts";
import type { View } from "../../state/view.ts";
import { OverviewScreen } from "./overview-screen.tsx";

const ANSWERS: Answers = {
  overview: () => overviewOf({ blocks: [0, 4, 4] }),
  statistics: () => rangeStatistics(),
};
const PHONE = "(max-width: 719px)";
/** Another mark by rule is before that of the watch. */
const MARKS: Summary["marks"] = [
  { at: 1_000_000, label: "Alarm", byRule: true },
  { at: 4_000_000, label: "Commit delay over 15 ms for 15 s", byRule: true },
];

let asked: string[];
let episode: WatchEpisode;
let shown: FakeScreen;
beforeEach(() => {
  asked = [];
  episode = watchEpisode({ captureId: "slow-network" });
  shown = fakeScreen({ width: 390, height: 844 });
  logCanvases();
  window.history.replaceState(null, "", "/captures/slow-network");
  const other = { ...watch(), id: "w2", replicas: [watchedReplica("SQL9")] };
  vi.stubGlobal("fetch", (address: string) => {
    const path = address.replace(/^.*\/watches/u, "");
    asked.push(path);
    return Promise.resolve(
      Response.json(
        path === ""
          ? { watches: [other, watch()], logins: [], receivers: [], problem: null }
          : { episodes: [watchEpisode({ id: "e4", captureId: null }), episode] },
      ),
    );
  });
});
afterEach(() => vi.unstubAllGlobals());

async function open(
  isPhone: boolean,
  summary: Partial<Summary> = {},
  view: Partial<View> = {},
): Promise<void> {
  shown.setMedia(PHONE, isPhone);
  await openCapture(<OverviewScreen />, { answers: ANSWERS, view, summary: { marks: MARKS, ...summary } });
  await settled();
  await settled();
}

test("a phone shows which watch recorded it, the trigger, and the way to the watch", async () => {
  await open(true);
  const band = screen.getByText("Recorded by the watch of SALES-AG, trigger 02:16:59");
  expect(band.title).toBe("Commit delay over 15 ms for 15 s");
  expect(screen.getByRole("link", { name: "Watch" }).getAttribute("href")).toBe("/watches/w1?at=e3");
  expect(screen.getByText("trigger 02:16:59")).toBeTruthy();
  // A watch of other servers isn't asked.
  expect(asked).toEqual(["", "/w1/episodes"]);
});

test("the trigger is in the reader's zone", async () => {
  await open(true, {}, { time: "browser" });
  // Auckland is 12 hours ahead in May.
  expect(screen.getByText("trigger 14:16:59")).toBeTruthy();
});

test("without a ring the trigger is before the first event, and the message's link tells that a watch recorded it", async () => {
  window.history.replaceState(null, "", "/captures/night?from=watch");
  // The capture begins at 02:16:55.
  const trigger = { ...watchEpisode().trigger, at: "2016-05-06T02:16:54Z" };
  episode = watchEpisode({ captureId: "night", trigger });
  await open(true, { captureId: "night", marks: [] });
  expect(screen.getByText("Recorded by the watch of SALES-AG, trigger 02:16:54")).toBeTruthy();
  // The address of the next view has no such part.
  cleanup();
  window.history.replaceState(null, "", "/captures/night");
  await open(true, { captureId: "night", marks: [] });
  expect(screen.getByText("trigger 02:16:54")).toBeTruthy();
});

test.each([
  ["a wide window", false, {}, "/captures/slow-network"],
  ["a capture of files", true, { marks: [] }, "/captures/slow-network"],
  [
    "a mark by hand",
    true,
    { marks: [{ ...MARKS[0], byRule: false }] as Summary["marks"] },
    "/captures/slow-network",
  ],
  ["a visitor of a link", true, {}, "/l/slow-network"],
])("%s has no band, and asks for no watch", async (_what, isPhone, summary, path) => {
  window.history.replaceState(null, "", path);
  await open(isPhone, summary);
  expect(screen.queryByText(/^Recorded by/u)).toBeNull();
  expect(asked).toEqual([]);
});
