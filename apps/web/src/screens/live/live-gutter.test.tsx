import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { evidenceAnswer, roleEvent } from "../../../test/evidence.ts";
import { livePicture } from "../../../test/live.ts";
import { happenedLanes } from "../../charts/evidence/happened-lanes.ts";
import { stackEvidence } from "../../charts/evidence/stack.ts";
import { LiveGutter } from "./live-gutter.tsx";

test("of more than sixteen lanes of events the number of the others is shown", () => {
  const events = Array.from({ length: 19 }, (_, i) =>
    roleEvent(`SQL${i + 1}`, 1e6, ["SECONDARY_NORMAL", "PRIMARY_NORMAL"]),
  );
  const lanes = happenedLanes(evidenceAnswer({ events }));
  const stack = stackEvidence(lanes, [0, 10e6], { showsAll: false, room: 900, head: 0 });
  render(
    <LiveGutter
      boxes={[]}
      gauges={[]}
      happened={{ top: 0, stack, rules: [] }}
      missed={{ count: 0, why: "" }}
      figures={{}}
      judged={livePicture({}).judged}
      onLane={vi.fn()}
    />,
  );
  expect(screen.getAllByText(/^SQL\d+ role$/u)).toHaveLength(16);
  // Three of roles, and the one of role changes.
  expect(screen.getByText("4 more lanes")).toBeTruthy();
});
