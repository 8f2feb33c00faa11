import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { captureAddress } from "../data/capture-address.ts";
import { type CaptureTab, TAB_LABELS } from "../screens/capture-view/capture-context.ts";
import { DEFAULT_VIEW } from "../state/view.ts";
import { Tabs } from "./tabs.tsx";

function show(tab: CaptureTab, id = "a1b2"): void {
  render(<Tabs address={captureAddress(id)} tab={tab} view={DEFAULT_VIEW} />);
}

const tabs = (): (string | null)[] => screen.getAllByRole("link").map((link) => link.textContent);
const current = (): (string | null)[] =>
  screen
    .getAllByRole("link")
    .filter((link) => link.getAttribute("aria-current") === "page")
    .map((link) => link.textContent);

function menu(): (string | null)[] {
  fireEvent.keyDown(screen.getByRole("button", { name: "More" }), { key: "Enter" });
  return screen.getAllByRole("menuitem").map((item) => item.querySelector("span")?.textContent ?? null);
}

test("four screens are tabs, the others are in the menu with their keys", () => {
  show("timeline");
  expect(tabs()).toEqual(["Overview", "Timeline", "Sequence", "Compare"]);
  expect(current()).toEqual(["Timeline"]);
  expect(menu()).toEqual([
    "Distribution",
    "Waiting",
    "What if",
    "Raw events",
    "SQL",
    "How this was read",
    "Ruler",
  ]);
  const rawEvents = screen.getByRole("menuitem", { name: /^Raw events/u });
  expect(rawEvents.getAttribute("href")).toMatch(/^\/captures\/a1b2\/raw-events\?/u);
  expect(rawEvents.textContent).toBe("Raw eventsAlt+8");
});

test("a screen of the menu that is open is a tab", () => {
  show("waiting");
  expect(tabs()).toEqual(["Overview", "Timeline", "Sequence", "Compare", "Waiting"]);
  expect(current()).toEqual(["Waiting"]);
  expect(menu()).not.toContain("Waiting");
});

test("files that the browser read have no SQL", () => {
  show("overview", "local-1");
  expect(menu()).not.toContain("SQL");
});

test("a capture without data-movement events has one screen of events, and SQL", () => {
  render(<Tabs address={captureAddress("a1b2")} tab="timeline" view={DEFAULT_VIEW} alone />);
  expect(tabs()).toEqual(["What happened"]);
  expect(menu()).toEqual(["SQL", "Ruler"]);
});

test("every screen is a tab or in the menu", () => {
  show("overview");
  expect(new Set([...tabs(), ...menu()])).toEqual(new Set(Object.values(TAB_LABELS)));
});

test("what keys alone did is in the menu too, and does the same", async () => {
  const pressed = vi.fn();
  const listen = ({ key, shiftKey }: KeyboardEvent): void => pressed(key, shiftKey);
  render(
    <Tabs
      address={captureAddress("a1b2")}
      tab="timeline"
      view={DEFAULT_VIEW}
      actions={{ copyVerdict: vi.fn(), clock: vi.fn(), export: vi.fn() }}
    />,
  );
  expect(menu().slice(-3)).toEqual(["Copy the verdict", "Raw or aligned clock", "Ruler"]);
  document.body.addEventListener("keydown", listen);
  fireEvent.click(screen.getByRole("menuitem", { name: /^Copy the verdict/u }));
  await waitFor(() => expect(pressed).toHaveBeenCalledWith("Y", true));
  document.body.removeEventListener("keydown", listen);
});
