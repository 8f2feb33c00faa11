import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { DatabaseFilter, nextDatabase } from "./database-filter.tsx";
import { type LiveRun, LiveRunContext } from "./live-run-context.ts";

/** The filter of a run with these databases; returns the chosen ones. */
function shown(databases: readonly string[], database: string | null = null) {
  const chooseDatabase = vi.fn<LiveRun["chooseDatabase"]>();
  const state = { databases, containedSystemDatabases: ["AG1_master"], state: "running" };
  const run = { state, database, chooseDatabase } as unknown as LiveRun;
  render(
    <LiveRunContext value={run}>
      <DatabaseFilter />
    </LiveRunContext>,
  );
  return chooseDatabase;
}

it("is not there for one database", () => {
  shown(["Sales"]);
  expect(screen.queryByLabelText("Database")).toBeNull();
});

it("shows up to three databases as buttons, in the order of their names", () => {
  const chosen = shown(["Stock", "HR", "Sales"], "Stock");
  expect(screen.getAllByRole("button").map((button) => button.textContent)).toEqual([
    "All 3",
    "HR",
    "Sales",
    "Stock",
  ]);
  expect(screen.getByRole("button", { pressed: true }).textContent).toBe("Stock");
  fireEvent.click(screen.getByRole("button", { name: "HR" }));
  fireEvent.click(screen.getByRole("button", { name: "All 3" }));
  expect(chosen.mock.calls).toEqual([["HR"], [null]]);
});

it("shows more as a list", () => {
  const chosen = shown(["D", "C", "B", "A"]);
  fireEvent.change(screen.getByRole("combobox", { name: "Database" }), { target: { value: "C" } });
  expect(screen.getByRole("combobox").textContent).toBe("All 4ABCD");
  expect(chosen.mock.calls).toEqual([["C"]]);
});

it("marks the master of a contained group, in buttons and in a list", () => {
  const chosen = shown(["Sales", "AG1_master"]);
  fireEvent.click(screen.getByRole("button", { name: "AG1_master (contained system)" }));
  expect(chosen.mock.calls).toEqual([["AG1_master"]]);
  shown(["A", "B", "C", "AG1_master"]);
  expect(screen.getByRole("combobox").textContent).toBe("All 4AAG1_master (contained system)BC");
});

it("has an order that begins and ends with all of them", () => {
  const names = ["Stock", "HR"];
  expect(nextDatabase(names, null, 1)).toBe("HR");
  expect(nextDatabase(names, "HR", 1)).toBe("Stock");
  expect(nextDatabase(names, "Stock", 1)).toBeNull();
  expect(nextDatabase(names, null, -1)).toBe("Stock");
  expect(nextDatabase(names, "dropped since", 1)).toBe("HR");
});
