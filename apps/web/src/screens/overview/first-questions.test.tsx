/**
 * The overview sends the requests whose answers the server keeps: any other address would make the server open the
 * tables of a capture for its first picture.
 */
import { firstAddresses, hasNoPrimaryFile } from "@aglens/contract";
import { waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { failoverOf, replicaSummary, summaryOf } from "../../../test/summary.ts";
import { captureAddress } from "../../data/capture-address.ts";
import { httpSource } from "../../data/http-source.ts";
import { OverviewScreen } from "./overview-screen.tsx";

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
  logCanvases();
});

test.each([
  ["two replicas", {}],
  [
    "no file of the primary",
    { replicas: [replicaSummary({ hasCapture: false }), replicaSummary({ name: "SQL2" })] },
  ],
  [
    "two secondaries",
    { replicas: [{}, { name: "SQL2" }, { name: "SQL3" }].map((more) => replicaSummary(more)) },
  ],
  [
    "a length that is no round number",
    {
      durationUs: 389_239_990.1,
      replicas: [{}, { name: "SQL2" }].map((more) => replicaSummary({ ...more, to: 389_239_990.1 })),
    },
  ],
  [
    "files that cover a part of it together",
    { replicas: [{ from: 4_200_000 }, { name: "SQL2", to: 7_700_000 }].map((more) => replicaSummary(more)) },
  ],
])("of a capture with %s the overview asks what the server keeps for it", async (_, summary) => {
  const { source } = await openCapture(<OverviewScreen />, { summary });
  await waitFor(() => expect(source.asked.map(([name]) => name)).toContain("statistics"));
  const whole = summaryOf(summary);
  const ofServer = httpSource(captureAddress("c"));
  // Evidence files are no part of what the server keeps: they may be added later.
  const asked = source.asked
    .filter(([name]) => name !== "evidence")
    .map(
      ([name, ...args]) =>
        (ofServer[name as "statistics"] as (...args: unknown[]) => { key: string })(...args).key,
    );
  const kept = firstAddresses(whole).map((address) => `/captures/c/${address}`);
  expect(asked.toSorted()).toEqual(kept.toSorted());
});

test("a capture has no file of a primary only where no server that was it has one", () => {
  const without = (summary: ReturnType<typeof summaryOf>, ...files: boolean[]): boolean =>
    hasNoPrimaryFile({ ...summary, replicas: files.map((hasCapture) => replicaSummary({ hasCapture })) });
  expect(without(summaryOf(), false, true)).toBe(true);
  expect(without(failoverOf(), false, true)).toBe(false);
  expect(without(failoverOf(), false, false)).toBe(true);
});
