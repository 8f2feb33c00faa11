import type { ReactNode } from "react";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { openQuestion, settled } from "../../test/answers.tsx";
import { FakeEvents } from "../../test/fake-events.ts";
import { openCapture } from "../../test/open-capture.tsx";
import { ProblemError } from "../data/problem.ts";
import { useAnswer } from "../data/use-answer.ts";
import { BeginningRow } from "./beginning-row.tsx";

beforeEach(() => {
  vi.stubGlobal("EventSource", FakeEvents);
  return () => vi.unstubAllGlobals();
});

const beginning = { edgeUs: 15_000_000, wholeUs: 60_000_000, blocks: 1_234 };
/** @param further what is shown below the row */
const open = (further: ReactNode = null) =>
  openCapture(
    <>
      <BeginningRow tabPath={({ page }) => `${page}/timeline`} block={null} />
      {further}
    </>,
    {
      summary: { beginning, originTicks: "131069746034690831" },
      view: { range: [1_000_000, 2_000_000] },
    },
  );

test("says how much of the capture this is, and leads to how far the analysis is", async () => {
  await open();
  expect(screen.getByRole("status").textContent).toMatch(/^Only the first 15\.0\s?s of 1\s?min/u);
  expect(FakeEvents.newest?.address).toContain("/captures/slow-network/progress");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "How far it is" })));
  expect(window.location.pathname).toBe("/captures/slow-network");
});

test("leads to the same view of the whole once that is known, and not by itself", async () => {
  window.history.replaceState(null, "", "/captures/slow-network/beginning/timeline");
  await open();
  await settled(() => FakeEvents.newest?.tell("ready", null));
  expect(screen.getByRole("status").textContent).toContain("The analysis has ended");
  expect(window.location.pathname).toBe("/captures/slow-network/beginning/timeline");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Open the whole capture" })));
  expect(window.location.pathname).toBe("/captures/slow-network/timeline");
  const parts = new URLSearchParams(window.location.search);
  expect([parts.get("origin"), parts.get("range")]).toEqual(["131069746034690831", "1000000_2000000"]);
});

test("leads there by itself where something is asked that the beginning cannot answer any more", async () => {
  window.history.replaceState(null, "", "/captures/slow-network/beginning/timeline");
  const { question, asked } = openQuestion<string>("/captures/slow-network/beginning/window");
  function Asking(): ReactNode {
    return useAnswer(question).error;
  }
  await open(<Asking />);
  await settled(() => FakeEvents.newest?.dispatchEvent(new Event("ready")));
  expect(window.location.pathname).toBe("/captures/slow-network/beginning/timeline");
  await asked[0]?.fail(new ProblemError("wrong-state", 409, "Open the capture itself."));
  await waitFor(() => expect(window.location.pathname).toBe("/captures/slow-network/timeline"));
  expect(window.location.search).toContain("range=1000000_2000000");
});
