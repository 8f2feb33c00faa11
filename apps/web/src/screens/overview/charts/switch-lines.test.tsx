import type { Episode } from "@aglens/contract";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { openCapture } from "../../../../test/open-capture.tsx";
import { failoverOf, summaryOf } from "../../../../test/summary.ts";
import { OverviewContext, type OpenOverview } from "../overview-context.ts";
import { roleSwitches } from "../../capture-view/phases.ts";
import { SwitchPlates } from "./switch-lines.tsx";

const summary = summaryOf({ phases: failoverOf().phases, verdict: failoverOf().verdict });
const [change] = roleSwitches(summary);

/** Ten seconds on 1,000 px: 10 ms per px. */
async function plates(...periods: (readonly [from: number, to: number])[]): Promise<string[]> {
  const episodes = periods.map(([from, to]) => ({ from, to, label: "Slow network", blocks: 9 }) as Episode);
  const overview = {
    scale: { from: 0, to: 10e6 },
    ground: { idle: [], uncovered: [], ticks: [], episodes },
  };
  const { unmount } = await openCapture(
    <OverviewContext value={overview as unknown as OpenOverview}>
      <SwitchPlates width={1_000} />
    </OverviewContext>,
    { summary },
  );
  const found = screen.getAllByText(/ (?:commits|primary)$/u).map((each) => each.dataset["below"] ?? "");
  unmount();
  return found;
}

test("plates stand below the name of an episode where that is, and at the top elsewhere", async () => {
  const { from, to } = change;
  expect(await plates()).toEqual(["false", "false"]);
  // The episode's name ends with the episode, left of the change; plates are up to 120 px wide.
  expect(await plates([0, from - 0.2e6])).toEqual(["true", "false"]);
  expect(await plates([0, from - 1.5e6])).toEqual(["false", "false"]);
  // A short episode's name begins with it.
  expect(await plates([to + 0.1e6, to + 0.5e6])).toEqual(["false", "true"]);
  expect(await plates([to + 1.5e6, to + 1.9e6])).toEqual(["false", "false"]);
});
