import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { openCapture } from "../../../../test/open-capture.tsx";
import { failoverOf, summaryOf } from "../../../../test/summary.ts";
import { GroundLabels } from "./ground-labels.tsx";
import { OverviewContext, type OpenOverview } from "../overview-context.ts";

/** Ten seconds on 1,000 px. */
const show = (
  ground: Pick<OpenOverview["ground"], "idle" | "uncovered">,
  summary = summaryOf({ phases: failoverOf().phases, verdict: failoverOf().verdict }),
) =>
  openCapture(
    <OverviewContext
      value={
        {
          scale: { from: 0, to: 10e6 },
          ground: { ...ground, episodes: [], ticks: [] },
        } as unknown as OpenOverview
      }
    >
      <GroundLabels width={1_000} />
    </OverviewContext>,
    { summary },
  );

const boxOf = (words: RegExp): readonly [string, string] => {
  const { left, width } = screen.getByText(words).style;
  return [left, width];
};

test("that there are no events of a server is named beside a change of roles, whose words stand over it", async () => {
  await show({ idle: [[4e6, 6e6]], uncovered: [[1e6, 9.5e6, 1]] });
  expect(boxOf(/^no commits/u)).toEqual(["400px", "200px"]);
  // The remaining parts are 1 to 4 s and 6 to 9.5 s; the second is wider.
  expect(boxOf(/^no events of/u)).toEqual(["600px", "350px"]);
});

test("alone it is named over its whole length", async () => {
  await show({ idle: [], uncovered: [[1e6, 9e6, 1]] });
  expect(boxOf(/^no events of/u)).toEqual(["100px", "800px"]);
});

test("within an idle stretch there is one label", async () => {
  await show({ idle: [[1e6, 9e6]], uncovered: [[2e6, 8e6, 1]] }, summaryOf());
  expect(boxOf(/^no log blocks for/u)).toEqual(["100px", "800px"]);
  expect(screen.queryByText(/^no events/u)).toBeNull();
});
