/** A change of availability mode parts figures as a change of roles does, and its phases are named by it. */
import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { OverviewScreen } from "../overview/overview-screen.tsx";
import { RoleSwitches } from "../../pages/role-switches.tsx";
import { restoresText } from "../share/share-text.ts";
import { DEFAULT_VIEW } from "../../state/view.ts";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { overviewOf } from "../../../test/overview.ts";
import { replicaRows } from "../../../test/replica-rows.ts";
import { rangeStatistics, replicaSummary, summaryOf } from "../../../test/summary.ts";
import { InTimeline } from "../../../test/timeline.tsx";
import { PartedPane } from "../timeline/panes/phases-pane.tsx";
import { usePartedStatistics } from "../timeline/panes/use-parted-statistics.ts";
import type { Range } from "../timeline/viewport.ts";
import { scopeText } from "./databases.ts";

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
  logCanvases();
});

const FROM = "SQL2 asynchronous-commit from 02:17:01";
const UNTIL = "SQL2 synchronous-commit until 02:17:01";

/** SQL2 becomes asynchronous 6 s after 02:16:55; with or without a third server, whose mode does not change. */
function changing(hasThird: boolean) {
  const [phase] = summaryOf().phases;
  const stays = hasThird ? ["sync" as const] : [];
  const { replicas } = summaryOf();
  return summaryOf({
    replicas: hasThird ? [...replicas, replicaSummary({ name: "SQL3" })] : replicas,
    phases: [
      { ...phase, to: 6e6, commitModes: ["sync", ...stays] },
      { ...phase, from: 6e6, commitModes: ["async", ...stays] },
    ],
  });
}

const plain = (words: string | null | undefined): string => (words ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");
const openOverview = (hasThird: boolean, view = {}) =>
  openCapture(<OverviewScreen />, {
    summary: changing(hasThird),
    view,
    answers: {
      overview: () => overviewOf({ blocks: [4, 4] }),
      statistics: () => rangeStatistics(),
      replicaRows: () => replicaRows(),
    },
  });

test.each([
  ["one secondary", false],
  ["a row per replica", true],
])(
  "with %s the overview has the figures of each mode, and shows one alone on demand",
  async (_, hasThird) => {
    const { view, unmount } = await openOverview(hasThird);
    const rail = screen.getByRole("complementary", { name: "Averages" });
    expect(within(rail).getByRole("heading", { name: "Mean remote harden per phase" })).toBeTruthy();
    expect(plain(rail.textContent)).toContain(`Before: ${UNTIL}; After: ${FROM}.`);
    expect(plain(rail.textContent)).toContain("to SQL2, same scale");
    expect(plain(rail.textContent)).not.toContain("The same log disk in both roles");
    await settled(() =>
      fireEvent.click(screen.getByRole("button", { name: `SQL2, secondary, async: ${FROM} alone` })),
    );
    expect(view().phase).toBe(1);
    expect(plain(screen.getByRole("complementary", { name: "Averages" }).textContent)).not.toContain(
      "per phase",
    );
    unmount();
  },
);

test("the overview of a range within one mode has figures of that alone", async () => {
  await openOverview(false, { range: [1e6, 5e6] });
  expect(screen.getByRole("complementary", { name: "Averages" }).textContent).not.toContain("per phase");
});

/** The pane of a range with its parted figures, as the timeline has it. */
function Pane({ range }: { readonly range: Range }) {
  const parted = usePartedStatistics(range);
  return parted === null ? <p>one phase</p> : <PartedPane range={range} parted={parted} where="selected" />;
}

const openPane = (range: Range) =>
  openCapture(
    <InTimeline parts={{ switches: [] }}>
      <Pane range={range} />
    </InTimeline>,
    { summary: changing(false), answers: { statistics: () => rangeStatistics() } },
  );

test("a range across the change has figures of each mode, which a press shows alone", async () => {
  const { source, view } = await openPane([4e6, 8e6]);
  expect(source.asked.filter(([name]) => name === "scoped").map(([, scope]) => scope)).toEqual(
    expect.arrayContaining([0, 1].map((phase) => ({ database: null, phase }))),
  );
  const words = plain(document.body.textContent);
  expect(words).toContain("The selection reaches across a change of availability mode.");
  expect(words).toContain(`The availability mode changed. ${FROM}.`);
  expect(words).not.toContain("The primary moved.");
  const only = screen.getByRole("button", { name: "Only after" });
  expect(only.title).toBe(FROM);
  fireEvent.click(only);
  expect(view().phase).toBe(1);
});

test("a range within one mode has its figures alone", async () => {
  await openPane([1e6, 5e6]);
  expect(screen.getByText("one phase")).toBeTruthy();
});

test("the strip, a report and a link name the phase by its change of mode", async () => {
  const summary = changing(false);
  await openCapture(<RoleSwitches />, { summary, view: { phase: 0 } });
  expect(plain(screen.getByRole("button").textContent)).toContain(`${UNTIL} alone`);
  expect(scopeText(summary, { database: null, phase: 1 })).toBe(FROM);
  expect(restoresText(summary, "timeline", { ...DEFAULT_VIEW, phase: 1 }, null)).toContain(`${FROM} alone`);
});
