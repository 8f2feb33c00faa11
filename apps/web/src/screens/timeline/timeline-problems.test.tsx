import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { evidenceAnswer, evidenceMetric, leaseFailover } from "../../../test/evidence.ts";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { summaryOf } from "../../../test/summary.ts";
import { ProblemError } from "../../data/problem.ts";
import { TimelineScreen } from "./timeline-screen.tsx";

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
  logCanvases();
  // The document of tests loads no fonts.
  Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
});

const alone = {
  replicas: summaryOf().replicas.map((replica) => ({ ...replica, hasCapture: false })),
};
const refused = new ProblemError("unreadable", 500, "The evidence files can't be read.");
const sentences = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent.trim());

test("a capture without data-movement events shows why its events can't be read, and asks again", async () => {
  const answers = [refused, leaseFailover()];
  const { source } = await openCapture(<TimelineScreen />, {
    summary: alone,
    answers: { evidence: () => answers.shift() ?? evidenceAnswer() },
  });
  expect(sentences()).toEqual(["The evidence files can't be read. Try again"]);
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Try again" })));
  expect(source.asked.filter(([name]) => name === "evidence")).toHaveLength(2);
  expect(sentences()).toEqual([]);
});

test("samples that can't be read have a sentence of their own", async () => {
  await openCapture(<TimelineScreen />, {
    summary: alone,
    answers: {
      evidence: () => ({ ...leaseFailover(), metrics: [evidenceMetric()] }),
      evidenceSamples: () => new ProblemError("unreadable", 500, "The samples can't be read."),
    },
  });
  // They are asked for after the first answer.
  await settled();
  expect(sentences()).toEqual(["The samples can't be read. Try again"]);
});
