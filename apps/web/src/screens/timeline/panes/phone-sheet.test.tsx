import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { STAGES, type StageId } from "@aglens/ag-model/replication";
import { fakeScreen } from "../../../../test/fake-screen.ts";
import { openCapture } from "../../../../test/open-capture.tsx";
import { SLOW_BLOCK } from "../../../../test/sequence.ts";
import { InTimeline } from "../../../../test/timeline.tsx";
import { PHONE } from "../../../ui/use-media.ts";
import { PhoneSheet } from "./phone-sheet.tsx";

/** Durations of block 00000022:00000167 of the capture of 2016, µs. */
const DURATIONS: Partial<Record<StageId, number>> = {
  localFlush: 5_416,
  send: 361,
  wireOut: 83_081,
  secondaryFlush: 523_692,
  wireBack: 50_894,
  networkRoundTrip: 133_976,
};
const [hop] = SLOW_BLOCK.hops;
const block = {
  ...SLOW_BLOCK,
  hops: [
    {
      ...hop,
      stages: STAGES.map(({ id }) => ({
        id,
        from: null,
        to: null,
        duration: DURATIONS[id] ?? null,
        share: null,
        rank: id === "secondaryFlush" ? 100 : 50,
        typical: null,
        obtained: "measured" as const,
        uncertaintyUs: null,
        isPaused: false,
      })),
    },
  ],
};

/** The same block of a capture in which SQL2 was unresponsive during its log write and the network out. */
const pausedBlock = {
  ...block,
  hops: block.hops.map((each) => ({
    ...each,
    pause: { end: "secondary" as const, us: 606_773 },
    stages: each.stages.map((stage) => ({
      ...stage,
      isPaused: stage.id === "secondaryFlush" || stage.id === "wireOut",
    })),
  })),
};

const sequence = { value: block, isStale: false, error: null, code: null, retry: () => undefined };
const timeline = { sequence, selection: { selectedRange: null } };
let device: ReturnType<typeof fakeScreen>;
beforeEach(() => {
  device = fakeScreen({ width: 390, height: 844 });
});

async function open(row: number | null = SLOW_BLOCK.row, shown = timeline) {
  device.setMedia(PHONE, true);
  return openCapture(
    <InTimeline parts={shown}>
      <PhoneSheet />
    </InTimeline>,
    { view: { block: row } },
  );
}
const sheet = () => screen.getByRole("region", { name: "Selected block" });
const plain = (): string => (sheet().textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");
const pull = (from: number, to: number): void => {
  const grip = within(sheet()).getByRole("button", { name: /^(All stages|Fewer figures)$/u });
  fireEvent.pointerDown(grip, { clientY: from, pointerId: 1 });
  fireEvent.pointerUp(grip, { clientY: to, pointerId: 1 });
  // As browsers do after each.
  fireEvent.click(grip);
};

test("a glance has the stage that took most with its class, the bar and four figures", async () => {
  await open();
  expect(plain()).toContain("SQL2 log write 524 msmaxbad");
  expect(plain()).toContain("remote harden 658 ms");
  expect(plain()).toContain("round trip 134 ms");
  expect(plain()).toContain("SQL1 log write 5.42 ms");
  expect(plain()).toContain("released by SQL2's ack");
  expect(within(sheet()).queryByRole("table")).toBeNull();
});

test("of a server that was unresponsive a glance says that, and its bar names no stage for it", async () => {
  const { container } = await open(SLOW_BLOCK.row, {
    ...timeline,
    sequence: { ...sequence, value: pausedBlock },
  });
  // 523,692 + 83,081 µs of both stages.
  expect(plain()).toContain("SQL2 was unresponsive 607 ms");
  expect(plain()).not.toContain("SQL2 log write");
  expect(plain()).not.toContain("bad");
  expect(container.querySelectorAll(".stage.wait")).toHaveLength(2);
});

test("pulled up it has all stages, pulled down it is a glance again, and then the block is let go", async () => {
  const { view } = await open();
  pull(700, 600);
  expect(within(sheet()).getByRole("table").textContent).toContain("Network out");
  pull(300, 400);
  expect(within(sheet()).queryByRole("table")).toBeNull();
  expect(view().block).toBe(SLOW_BLOCK.row);
  pull(700, 800);
  expect(view().block).toBeNull();
});

test("a tap on the grip, or a key, opens and closes it", async () => {
  await open();
  pull(700, 702);
  expect(within(sheet()).getByRole("button", { name: "Fewer figures" }).getAttribute("aria-expanded")).toBe(
    "true",
  );
  expect(within(sheet()).getByRole("table")).toBeTruthy();
  fireEvent.click(within(sheet()).getByRole("button", { name: "Fewer figures" }));
  expect(within(sheet()).queryByRole("table")).toBeNull();
});

test("there is none without a block, nor on a wide screen", async () => {
  await open(null);
  expect(screen.queryByRole("region", { name: "Selected block" })).toBeNull();
});
