import { fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { useKeys } from "../ui/keys.ts";
import { KeysDialog } from "./keys-dialog.tsx";

function Screen(): ReactNode {
  useKeys({ nextSlow: () => {}, copyLink: () => {} });
  return <KeysDialog open onOpenChange={() => {}} />;
}

const used = (task: string): string | undefined => screen.getByText(task).parentElement?.dataset["used"];
const tasks = (): string[] => Array.from(document.querySelectorAll("dt"), ({ textContent }) => textContent);

test("keys of the open screen and of all screens are listed by task, those without use here gray", () => {
  render(<Screen />);
  expect(used("Go to the next slow block")).toBe("true");
  expect(used("Copy the link to this view")).toBe("true");
  // It works everywhere, but this screen does not use it.
  expect(used("Edit tags")).toBe("false");
  // Only in raw events.
  expect(tasks()).not.toContain("Go to the next event of the same block");
  const headings = screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(expect.arrayContaining(["Read", "Find", "Keep and share"]));
});

test("a search takes words of tasks and keys, of every screen", () => {
  render(<Screen />);
  const field = screen.getByRole("searchbox", { name: "Search keys and tasks" });
  fireEvent.change(field, { target: { value: "same block" } });
  expect(tasks()).toEqual([
    "Go to the next event of the same block",
    "Go to the previous event of the same block",
  ]);
  fireEvent.change(field, { target: { value: "F2" } });
  expect(tasks()).toEqual(["Rename the capture, its servers and databases"]);
  fireEvent.change(field, { target: { value: "zzz" } });
  expect(screen.getByRole("status").textContent).toContain("No key or task matches “zzz”.");
});
