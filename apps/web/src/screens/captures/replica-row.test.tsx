import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { captureFile } from "../../../test/capture-file.ts";
import { replicaFiles } from "./replica-files.ts";
import { ReplicaRow } from "./replica-row.tsx";

const row = (nameFrom: "remembered" | "topology", onEdit: (() => void) | null) => (
  <ReplicaRow
    replica={{
      ...replicaFiles([captureFile()], { name: "SQL1", id: null, role: "primary" }),
      roleSteps: [],
      roleTimes: [],
      nameFrom,
    }}
    axis={null}
    editing={false}
    onAddFile={() => {}}
    onEdit={onEdit}
  />
);

test("a server's row states that its name is remembered, and leads to where it is changed", () => {
  const onEdit = vi.fn<() => void>();
  const { rerender } = render(row("remembered", onEdit));
  expect(screen.getByText(/^Name remembered from another capture\./u)).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Change the name SQL1" }));
  expect(onEdit).toHaveBeenCalledOnce();
  // Nothing of the capture can be changed during its analysis.
  rerender(row("remembered", null));
  expect(screen.queryByRole("button")).toBeNull();
  rerender(row("topology", onEdit));
  expect(screen.queryByText(/remembered/u)).toBeNull();
});
