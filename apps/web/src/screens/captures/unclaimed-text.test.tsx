import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import type { CaptureFile, UnclaimedPayload } from "@aglens/contract";
import { captureFile } from "../../../test/capture-file.ts";
import { replicaFiles } from "./replica-files.ts";
import { ReplicaRow } from "./replica-row.tsx";
import { unclaimedText } from "./replica-row-text.ts";

const unclaimed = (event: string, events: number, bytes: number): UnclaimedPayload => ({
  package: "sqlserver",
  event,
  events,
  bytes,
  offset: 4_096,
});

test.each<[string | null, readonly UnclaimedPayload[]]>([
  [null, []],
  [
    "No column claims 24 bytes in 1 event (log_flush_start). Values of this file may be wrong.",
    [unclaimed("log_flush_start", 1, 24)],
  ],
  [
    "No column claims 24,006 bytes in 1,003 events (a, b, c and 1 more). Values of this file may be wrong.",
    [unclaimed("a", 1_000, 24_000), unclaimed("b", 1, 1), unclaimed("c", 1, 2), unclaimed("d", 1, 3)],
  ],
])("%s", (words, found) => {
  expect(unclaimedText({ unclaimed: [...found] })).toBe(words);
});

test("a file that no version has counted has no such sentence", () => {
  expect(unclaimedText(captureFile())).toBeNull();
});

test.each([[false], [true]])("the row of a replica warns once per file, editing: %s", (editing) => {
  const files: CaptureFile[] = [
    captureFile({ id: "1", name: "a.xel", unclaimed: [unclaimed("log_flush_start", 2, 48)] }),
    captureFile({ id: "2", name: "b.xel" }),
  ];
  const replica = {
    ...replicaFiles(files, { name: "SQL1", id: null, role: "primary" }),
    roleSteps: [],
    roleTimes: [],
    nameFrom: "role" as const,
  };
  const { container } = render(
    <ReplicaRow replica={replica} axis={null} editing={editing} onAddFile={() => {}} onEdit={null} />,
  );
  const notices = [...container.querySelectorAll("p")].map(({ textContent }) => textContent?.trim());
  const words = "No column claims 48 bytes in 2 events (log_flush_start). Values of this file may be wrong.";
  expect(notices).toEqual([editing ? words : `File 1 of 2: ${words}`]);
});
