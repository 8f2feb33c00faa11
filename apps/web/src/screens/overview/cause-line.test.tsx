import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { evidenceAnswer, failoverCause, happenedEvent, leaseFailover } from "../../../test/evidence.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { CauseLine } from "./cause-line.tsx";

const line = (answer: ReturnType<typeof evidenceAnswer>, time: "utc" | null = null) =>
  openCapture(<CauseLine />, {
    summary: { durationUs: 50e6 },
    view: { time },
    answers: { evidence: () => answer },
  });

test("the cause of a failover leads to it on the timeline, with 30 s around it", async () => {
  const { container, open } = await line(leaseFailover());
  expect(container.textContent).toBe(
    "SALES-AG failed over from SQL1 to SQL2 at 02:17:10 UTC, because the lease expired. What happened",
  );
  fireEvent.click(screen.getByRole("button", { name: "What happened" }));
  // Inside the capture of 50 s.
  expect(open.mock.calls).toEqual([["timeline", { range: [0, 50e6], block: null, kept: [] }]]);
});

test("the first failover in the capture is named, and the number of others", async () => {
  const failovers = [
    failoverCause({ at: -90e6, until: null, text: "Before." }),
    failoverCause({ text: "In it." }),
  ];
  const { container } = await line(evidenceAnswer({ events: [happenedEvent()], failovers }));
  expect(container.textContent).toBe("In it. 1 more failover. What happened");
});

test("without a failover nothing is there", async () => {
  expect((await line(evidenceAnswer({ events: [happenedEvent()] }))).container.textContent).toBe("");
  expect((await line(evidenceAnswer())).container.textContent).toBe("");
});
