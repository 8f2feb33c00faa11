import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { captureOf } from "../../../test/capture.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { replicaSummary, summaryOf } from "../../../test/summary.ts";
import { NamesDialog } from "./names-dialog.tsx";

const summary = summaryOf({
  captureId: "a1",
  replicas: [
    replicaSummary({ ids: ["f3400915-0000-0000-0000-000000000001"], name: "Primary" }),
    replicaSummary({ ids: [], name: "Secondary" }),
  ],
  databases: [
    { id: "814415b6-0000-0000-0000-000000000003", name: "Sales", group: 0, replicaIds: [], localIds: [] },
  ],
});

/** Requests that change something, as `PATCH /captures/a1 {"name":"Night"}`. */
let writes: string[];

async function open(onChanged = () => {}, onOpenChange: (open: boolean) => void = () => {}): Promise<void> {
  writes = [];
  vi.stubGlobal("fetch", (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (method !== "GET") writes.push(`${method} ${path.replace("/api/v1", "")} ${body as string}`);
    return Promise.resolve(Response.json(captureOf({ id: "a1", name: "2 replicas" })));
  });
  await openCapture(<NamesDialog open onOpenChange={onOpenChange} />, { summary, onChanged });
  await settled();
}

const valueOf = (label: string): string => screen.getByLabelText<HTMLInputElement>(label).value;
const type = (label: string, value: string): void => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const save = (): Promise<void> =>
  settled(() => fireEvent.submit(screen.getByLabelText("Capture").closest("form")!));

test("shows the names as they are, each with the beginning of its id", async () => {
  await open();
  expect(valueOf("Capture")).toBe("2 replicas");
  expect(valueOf("Availability group")).toBe("");
  expect([valueOf("Servers, 1 of 2"), valueOf("Servers, 2 of 2")]).toEqual(["Primary", "Secondary"]);
  expect(valueOf("Databases, 1 of 1")).toBe("Sales");
  const ids = [...document.querySelectorAll("code")].map((code) => code.textContent);
  expect(ids).toEqual(["f3400915", "no id", "814415b6"]);
  expect(screen.queryByRole("button", { name: "Restore names" })).toBeNull();
});

test("another name of the capture alone is stored, and nothing is analyzed again", async () => {
  const [onChanged, onOpenChange] = [vi.fn(), vi.fn()];
  await open(onChanged, onOpenChange);
  type("Capture", "  After the patch ");
  await save();
  expect(writes).toEqual([`PATCH /captures/a1 {"name":"After the patch"}`]);
  expect(onOpenChange.mock.calls).toEqual([[false]]);
  expect(onChanged).toHaveBeenCalledOnce();
});

test("names that did not change are not stored", async () => {
  const onOpenChange = vi.fn();
  await open(() => {}, onOpenChange);
  await save();
  expect(writes).toEqual([]);
  expect(onOpenChange.mock.calls).toEqual([[false]]);
});
