import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { act } from "react";
import { openPath } from "../state/navigate.ts";
import { HasGuide, Term, termProps } from "../ui/term.tsx";
import { TermTip } from "./term-tip.tsx";

beforeEach(() => {
  vi.useFakeTimers();
  HTMLElement.prototype.showPopover = () => {};
  HTMLElement.prototype.hidePopover = () => {};
});
afterEach(() => vi.useRealTimers());

function open(): void {
  render(
    <HasGuide value={true}>
      <TermTip />
      <button type="button" {...termProps("secondaryFlush", "Limit 10 ms.")}>
        Log write
      </button>
      <Term id="releasedBy">Released by</Term>
      <p>No name</p>
    </HasGuide>,
  );
}
const rest = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const tip = (): string => document.querySelector("[role=tooltip]")?.textContent ?? "";

test("the pointer on a name shows its definition, its source and the note of its element after a rest", async () => {
  open();
  fireEvent.pointerOver(screen.getByRole("button"));
  await rest(399);
  expect(tip()).toBe("");
  await rest(1);
  expect(tip()).toContain("The secondary writes the log block to its log disk.");
  expect(tip()).toContain("Limit 10 ms.");
  expect(tip()).toContain("Source: log_flush_start to log_flush_complete on the secondary");
  fireEvent.pointerOver(screen.getByText("No name"));
  await rest(400);
  expect(tip()).toBe("");
});

test("Esc closes a definition, F1 opens its section of the guide", async () => {
  open();
  const name = screen.getByRole("link", { name: "Released by" });
  expect(name.getAttribute("href")).toBe("/help/glossary/released-by");
  fireEvent.pointerOver(name);
  await rest(400);
  expect(tip()).toContain("The last event that the commit waited for");
  fireEvent.keyDown(window, { key: "F1" });
  expect(openPath()).toBe("/help/glossary/released-by");
  fireEvent.keyDown(document, { key: "Escape" });
  await rest(0);
  expect(tip()).toBe("");
});

test("without a guide a name is text", () => {
  render(<Term id="p95">p95</Term>);
  expect(screen.queryByRole("link")).toBeNull();
});
