import { expect, test } from "vitest";
import { openCapture } from "../../../../test/open-capture.tsx";
import { failoverOf } from "../../../../test/summary.ts";
import { InTimeline } from "../../../../test/timeline.tsx";
import { MarkersLane } from "./markers-lane.tsx";

test("of time of which the primary has no events the server is named that was it then", async () => {
  const lane = async (replica: number): Promise<string | null> => {
    const timeline = {
      markers: { value: { markers: [], dropped: 0 }, error: null },
      range: [7e6, 8e6],
      uncovered: [[6e6, 9e6, 0, replica]],
      switches: [],
    };
    const { container } = await openCapture(
      <InTimeline parts={timeline}>
        <MarkersLane width={1_000} />
      </InTimeline>,
      { summary: failoverOf() },
    );
    return container.querySelector("p")?.textContent ?? null;
  };
  expect(await lane(1)).toBe("The files have no events of SQL2 at this time");
});
