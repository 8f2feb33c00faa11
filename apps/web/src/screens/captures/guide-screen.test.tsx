import { fireEvent, render, screen, within } from "@testing-library/react";
import { RECORDED_EVENTS, USUAL_CHOICES } from "@aglens/ag-model/events";
import { expect, test } from "vitest";
import { sessionScript } from "./guide.ts";
import { GuideScreen } from "./guide-screen.tsx";

const scriptIn = (name: string): string =>
  screen.getByRole("region", { name }).querySelector("pre")?.textContent ?? "";

test("both scripts record every event, and start the session", () => {
  render(<GuideScreen />);
  for (const name of ["1. Secondaries first", "2. Then the primary"]) {
    for (const event of RECORDED_EVENTS) expect(scriptIn(name)).toContain(`ADD EVENT sqlserver.${event}`);
    expect(scriptIn(name)).toContain("STATE = START");
  }
  expect(scriptIn("1. Secondaries first")).toContain("each secondary replica, before the primary replica");
});

test("the version changes the permissions", () => {
  render(<GuideScreen />);
  expect(scriptIn("Permissions")).toContain("VIEW SERVER PERFORMANCE STATE");
  fireEvent.click(screen.getByRole("button", { name: "2014 SP2 to 2019" }));
  expect(scriptIn("Permissions")).toBe(
    "USE master;\nGRANT ALTER ANY EVENT SESSION, VIEW SERVER STATE TO [login];",
  );
});

test("one role has its script alone, which can be saved", () => {
  render(<GuideScreen />);
  fireEvent.click(screen.getByRole("button", { name: "Primary" }));
  expect(screen.queryByRole("region", { name: "1. Secondaries first" })).toBeNull();
  const primary = within(screen.getByRole("region", { name: "2. Then the primary" }));
  expect(primary.getByRole("button", { name: "AGLens-primary.sql" })).toBeTruthy();
});

test("the events of each commit can be excluded", () => {
  const script = (perCommit: boolean): string => sessionScript("primary", { ...USUAL_CHOICES, perCommit });
  expect(script(true)).toContain("hadr_db_commit_mgr_harden ");
  expect(script(false)).not.toContain("hadr_db_commit_mgr_harden ");
});

test("each event is numbered, unless that is cleared", () => {
  render(<GuideScreen />);
  const script = scriptIn("2. Then the primary");
  for (const event of RECORDED_EVENTS)
    expect(script).toContain(`ADD EVENT sqlserver.${event} (ACTION (package0.event_sequence))`);
  fireEvent.click(screen.getByRole("checkbox", { name: /^Number of each event/u }));
  expect(scriptIn("2. Then the primary")).toBe(script.replaceAll(" (ACTION (package0.event_sequence))", ""));
});

test("sessions and applications are actions of commits only", () => {
  render(<GuideScreen />);
  const lines = (): string[] =>
    scriptIn("1. Secondaries first")
      .split("\n")
      .filter((line) => /session_id|client_app_name/u.test(line));
  expect(lines()).toEqual([]);
  fireEvent.click(screen.getByRole("checkbox", { name: /^Session of each commit/u }));
  fireEvent.click(screen.getByRole("checkbox", { name: /^Application of each commit/u }));
  const actions = "(ACTION (package0.event_sequence, sqlserver.session_id, sqlserver.client_app_name))";
  expect(lines()).toEqual([
    `  ADD EVENT sqlserver.recovery_unit_harden_log_timestamps ${actions},`,
    `  ADD EVENT sqlserver.hadr_db_commit_mgr_harden ${actions},`,
  ]);
});

test("writes to the log file are recorded on request, and nothing else changes", () => {
  render(<GuideScreen />);
  const before = scriptIn("2. Then the primary");
  expect(before).not.toContain("file_write");
  fireEvent.click(screen.getByRole("checkbox", { name: /^File writes/u }));
  const added = `,
  ADD EVENT sqlserver.file_write_enqueued (ACTION (package0.event_sequence) WHERE file_id = 2),
  ADD EVENT sqlserver.file_write_completed (ACTION (package0.event_sequence) WHERE file_id = 2)`;
  expect(scriptIn("2. Then the primary").replace(added, "")).toBe(before);
});

test("a link from a log write that is not split asks for its file writes", () => {
  history.replaceState(null, "", "/guide?split=log");
  render(<GuideScreen />);
  expect(scriptIn("1. Secondaries first")).toContain("file_write_enqueued");
  history.replaceState(null, "", "/");
});

test("a link from commits without clients asks for sessions and applications", () => {
  history.replaceState(null, "", "/guide?clients");
  render(<GuideScreen />);
  expect(scriptIn("1. Secondaries first")).toMatch(/session_id, sqlserver\.client_app_name/u);
  history.replaceState(null, "", "/");
});

test("PowerShell stops all sessions before it copies, and takes the folder from the session's target", () => {
  render(<GuideScreen />);
  const lines = scriptIn("3. After five minutes, stop and fetch the files");
  expect(lines.indexOf("STATE = STOP")).toBeLessThan(lines.indexOf("Copy-Item"));
  expect(lines).toContain("sys.dm_xe_session_targets");
  expect(lines).toContain(
    String.raw`Copy-Item "\\$machine\$($from.Folder -replace ':', '$$')\AGLens*.xel" $to`,
  );
  expect(lines).toContain(String.raw`-split '[\\,]'`);
});
