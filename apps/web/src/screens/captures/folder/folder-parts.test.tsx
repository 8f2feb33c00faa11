import { fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Capture, CaptureFile } from "@aglens/contract";
import { captureFile } from "../../../../test/capture-file.ts";
import { evidence } from "../../../../test/evidence-file.ts";
import type { Draft } from "../sending/draft-types.ts";
import { useDraft } from "../sending/draft.ts";
import { FolderGroups } from "./folder-groups.tsx";
import { FolderSide } from "./folder-side.tsx";
import { FolderStatus } from "./folder-status.tsx";
import { type FolderRow, supportFolder } from "./support-folder.ts";
import { toggleUse } from "./use-folder-keys.ts";

const correct = vi.fn<Draft["correct"]>(() => Promise.resolve());
const remove = vi.fn(() => Promise.resolve());
beforeEach(() => {
  vi.clearAllMocks();
  useDraft.setState({ correct, remove, uploads: [] });
});

const movement = captureFile({ id: "m1", name: "movement_0_1.xel", events: 112_690 });
const RELOG =
  'relog "Perfmon.blg" -c "\\\\SQL1\\LogicalDisk(*)\\Avg. Disk sec/Write" -f csv -o "Perfmon.csv"';
const ALL: readonly CaptureFile[] = [
  movement,
  evidence(
    "AlwaysOn_health_0_1.xel",
    "alwaysOnHealth",
    { events: 80 },
    { replicaNames: { "a1a1a1a1-2": "SQL1" } },
  ),
  evidence("AlwaysOn_health_0_2.xel", "alwaysOnHealth", { events: 8 }),
  evidence("Perfmon.csv", "counters", { samples: 41 }),
  evidence("Perfmon.blg", "counterLog", {
    use: `Binary performance counters. Run at the command prompt of Windows: ${RELOG}`,
  }),
  evidence("SQL1_cluster.log", "clusterLog"),
  evidence("cut.xel", "systemHealth", { state: "damaged", events: 3, use: "The file is cut at byte 40." }),
];

function show(
  files: readonly CaptureFile[],
  editing = false,
  groups = true,
): { onAddFile: () => void; onEdit: () => void } {
  const capture = {
    id: "c",
    name: "night",
    files: [...files],
    unused: [],
    groups: groups
      ? [
          {
            name: "SALES-AG",
            group: "SALES-AG",
            servers: [
              { name: "SQL1", nameFrom: "topology", ids: ["a1"], role: "primary", files: ["m1"], roles: [] },
            ],
            databases: [],
            withoutFile: [],
            foreign: false,
            warnings: [],
          },
        ]
      : [],
  } as unknown as Capture;
  const folder = supportFolder(capture)!;
  const [onAddFile, onEdit] = [vi.fn(), vi.fn()];
  render(
    <>
      <FolderGroups folder={folder} capture={capture} editing={editing} onAddFile={onAddFile} />
      <FolderSide folder={folder} editing={editing} onAddFile={onAddFile} onEdit={onEdit} />
      <FolderStatus folder={folder} />
    </>,
  );
  return { onAddFile, onEdit };
}

const cells = (row: HTMLElement): string[] =>
  [...row.querySelectorAll("th, td")].map((cell) => cell.textContent ?? "");
const row = (name: string): HTMLElement => screen.getByRole("button", { name }).closest("tr")!;

test("a server has a row for the files of one kind: names, number, use, figures", () => {
  show(ALL);
  const card = screen.getByRole("region", { name: "Files of SQL1" });
  expect(within(card).getByText("4 used of 7 files")).toBeTruthy();
  expect(cells(row("movement_0_1.xel"))).toEqual([
    "movement_0_1.xel",
    "1",
    "Stages and commits",
    "112,690 events",
  ]);
  expect(cells(row("AlwaysOn_health_0_*.xel"))).toEqual([
    "AlwaysOn_health_0_*.xel",
    "2",
    "What happened, names and ids",
    "88 events",
  ]);
  expect(row("cut.xel").dataset["state"]).toBe("damaged");
  expect(cells(row("cut.xel"))[2]).toBe("The file is cut at byte 40.");
});

test("a row opens to its files", () => {
  show(ALL);
  expect(screen.queryByText("AlwaysOn_health_0_2.xel")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "AlwaysOn_health_0_*.xel" }));
  expect(screen.getByText("AlwaysOn_health_0_2.xel")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Remove AlwaysOn_health_0_2.xel" }));
  expect(remove).toHaveBeenCalledWith(["id of AlwaysOn_health_0_2.xel"]);
});

test("a file without a time zone is used once the user chooses one", () => {
  show(ALL);
  const choice = within(row("Perfmon.csv")).getByRole("combobox", { name: "Time zone of Perfmon.csv" });
  expect(within(choice).getByRole("option", { name: "Choose time zone" })).toBeTruthy();
  // Summer time of the Chatham Islands.
  expect(within(choice).getByRole("option", { name: "UTC+13:45" })).toBeTruthy();
  fireEvent.change(choice, { target: { value: "-300" } });
  expect(correct).toHaveBeenCalledWith("id of Perfmon.csv", { utcOffsetMinutes: -300 });
});

test("counters to convert have the line for Windows, the others a reason, names their ids", () => {
  const { onAddFile } = show(ALL);
  const conversion = screen.getByRole("region", { name: "Perfmon.blg" });
  expect(within(conversion).getByLabelText("relog line of Perfmon.blg").textContent).toBe(RELOG);
  fireEvent.click(within(conversion).getByRole("button", { name: "Add CSV" }));
  expect(onAddFile).toHaveBeenCalledOnce();
  expect(cells(row("SQL1_cluster.log"))).toEqual(["SQL1_cluster.log", "1", "Sentence about clusterLog."]);
  expect(screen.getByRole("heading", { name: "Names learned from AlwaysOn_health" })).toBeTruthy();
  expect(screen.getByText("a1a1a1a1…").closest("tr")?.textContent).toBe("SQL1a1a1a1a1…availability replica");
});

test("keys go through the files, skip and remove them", () => {
  show(ALL);
  const press = (key: string): void =>
    void fireEvent.keyDown(document.activeElement ?? document.body, { key });
  press("j");
  expect(document.activeElement?.textContent).toBe("movement_0_1.xel");
  press("j");
  press("j");
  press("k");
  expect(document.activeElement?.textContent).toBe("AlwaysOn_health_0_*.xel");
  press(" ");
  expect(correct).toHaveBeenCalledWith("id of AlwaysOn_health_0_1.xel", { role: "ignored" });
  press("Delete");
  expect(remove).toHaveBeenCalledWith(["id of AlwaysOn_health_0_1.xel", "id of AlwaysOn_health_0_2.xel"]);
});

test("a file that was skipped is used again in the role that it had", async () => {
  const files = [
    captureFile({ id: "chosen", detectedRole: "primary", role: "secondary", given: { role: "secondary" } }),
    captureFile({ id: "ofServer", detectedRole: "unknown", role: "secondary" }),
  ];
  const rowWith = (given: CaptureFile["given"], role?: "ignored"): FolderRow => ({
    key: "SQL2",
    kind: "movement",
    state: "used",
    names: "",
    files: files.map((file) => ({ ...file, ...(role && { role }), given: { ...file.given, ...given } })),
    use: "",
  });
  await toggleUse(rowWith({}), correct);
  await toggleUse(rowWith({ role: "ignored" }, "ignored"), correct);
  expect(correct.mock.calls).toEqual([
    ["chosen", { role: "ignored" }],
    ["ofServer", { role: "ignored" }],
    ["chosen", { role: "secondary" }],
    ["ofServer", { role: "secondary" }],
  ]);
});

test("while files are corrected, each has its own line", () => {
  show(ALL, true);
  expect(screen.getByLabelText("Role of movement_0_1.xel")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Skip AlwaysOn_health_0_1.xel" }));
  expect(correct).toHaveBeenCalledWith("id of AlwaysOn_health_0_1.xel", { role: "ignored" });
});

test("without movement events the servers are those that the files name", () => {
  show(ALL.slice(1), false, false);
  expect(screen.getByRole("region", { name: "Files of SQL1" })).toBeTruthy();
  expect(screen.getByText("6 files, 6.0 kB, 3 used")).toBeTruthy();
});
