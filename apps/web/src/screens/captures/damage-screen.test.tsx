import { fireEvent, render, screen } from "@testing-library/react";
import type { Capture, CaptureFile } from "@aglens/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { captureOf } from "../../../test/capture.ts";
import { captureFile } from "../../../test/capture-file.ts";
import { DamageScreen } from "./damage-screen.tsx";

const at = (seconds: string): string => `2026-11-20T10:00:${seconds}.0000000Z`;
const gap: CaptureFile["gaps"][number] = {
  code: "bad-event",
  offset: 1_000,
  bytes: 100,
  message: "An event is cut.",
  before: { name: "log_flush_start", at: at("10") },
  after: null,
};
const cut = captureFile({ id: "a", name: "a.xel", size: 1_100, from: at("00"), to: at("10"), gaps: [gap] });
const sound = captureFile({ id: "b", name: "b.xel", from: at("15"), to: at("40") });
const alsoCut = captureFile({ id: "c", name: "c.xel", from: at("15"), to: at("40"), gaps: [gap] });

let sent: string[];

beforeEach(() => {
  sent = [];
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    sent.push(`${init?.method ?? "GET"} ${address.replace("/api/v1", "")}`);
    return Promise.resolve(Response.json(captureOf({ state: "ready" })));
  });
});
afterEach(() => vi.unstubAllGlobals());

function show(files: readonly CaptureFile[]): { onOpen: () => void; onChanged: () => void } {
  const spies = { onOpen: vi.fn<() => void>(), onChanged: vi.fn<() => void>() };
  const capture: Capture = captureOf({ state: "ready", files: [...files] });
  render(<DamageScreen capture={capture} {...spies} />, { wrapper: withAnswers() });
  return spies;
}

test("a damaged file says what is wrong, where, and what was lost", () => {
  show([cut, sound]);
  expect(
    screen.getByRole("heading", { name: "One of two files is damaged. The rest is usable." }),
  ).toBeTruthy();
  const facts = screen.getAllByRole("term").map((term) => term.textContent);
  expect(facts).toEqual(["Problem", "Where", "Last good event", "Lost data", "Effect on the verdict"]);
  expect(screen.getByText("An event is cut.")).toBeTruthy();
  expect(screen.getByText("log_flush_start 10:00:10.0000000")).toBeTruthy();
});

test("a capture with one gap opens with it", () => {
  const { onOpen } = show([cut, sound]);
  fireEvent.click(screen.getByRole("button", { name: "Open the capture with this gap" }));
  expect(onOpen).toHaveBeenCalledOnce();
});

test("without its only damaged file the capture is analyzed again", async () => {
  const { onChanged } = show([cut, sound]);
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Leave this file out" })));
  expect(sent).toEqual(["PATCH /captures/capture/files/a", "POST /captures/capture/analysis"]);
  expect(onChanged).toHaveBeenCalledOnce();
});

test("two damaged files of three are skipped together, or replaced one by one", () => {
  show([cut, alsoCut, sound]);
  expect(screen.getByRole("button", { name: "Open the capture with these gaps" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Leave these files out" })).toBeTruthy();
  expect(screen.getByLabelText("Better copy of a.xel")).toBeTruthy();
  expect(screen.getByLabelText("Better copy of c.xel")).toBeTruthy();
});

test("a capture of damaged files alone cannot go on without them", () => {
  show([cut]);
  expect(screen.queryByRole("button", { name: /^Leave/u })).toBeNull();
  expect(screen.getByRole("button", { name: "Replace this file" })).toBeTruthy();
});

test("a repair that fails is said, and can be tried again", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 503 })));
  const { onChanged } = show([cut, sound]);
  const leave = screen.getByRole("button", { name: "Leave this file out" });
  await settled(() => fireEvent.click(leave));
  expect(screen.getByRole("alert").textContent).not.toBe("");
  expect(leave).toHaveProperty("disabled", false);
  expect(onChanged).not.toHaveBeenCalled();
});
