import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { captureFile } from "../../../../test/capture-file.ts";
import { captureOf } from "../../../../test/capture.ts";
import { evidence } from "../../../../test/evidence-file.ts";
import { openCapture } from "../../../../test/open-capture.tsx";
import { captureAddress } from "../../../data/capture-address.ts";
import { useDraft } from "../sending/draft.ts";
import { AddEvidence } from "./add-evidence.tsx";

const movement = captureFile({ id: "m1", name: "movement.xel" });
const errorlog = evidence("ERRORLOG", "errorlog", { utcOffsetMinutes: 0, events: 3 });
const counters = evidence("Perfmon.csv", "counters", { samples: 5 });

/** A server with one capture. @returns methods and addresses of the requests that changed it */
function serve(files = [movement]): string[] {
  const capture = captureOf({ id: "c1", state: "ready", files });
  const changes: string[] = [];
  vi.stubGlobal("fetch", (address: string | URL, { method = "GET" }: RequestInit = {}) => {
    if (method !== "GET") changes.push(`${method} ${String(address)}`);
    if (method === "DELETE")
      capture.files = capture.files.filter(({ id }) => !String(address).endsWith(encodeURIComponent(id)));
    return Promise.resolve(
      method === "DELETE" ? new Response(null, { status: 204 }) : Response.json(capture),
    );
  });
  return changes;
}
afterEach(() => vi.unstubAllGlobals());

async function open(onChanged = vi.fn()): Promise<{ onChanged: () => void; onOpenChange: () => void }> {
  const onOpenChange = vi.fn();
  await openCapture(<AddEvidence address={captureAddress("c1")} files={[]} onOpenChange={onOpenChange} />, {
    canChange: true,
    onChanged,
  });
  await screen.findByRole("button", { name: "Done" });
  return { onChanged, onOpenChange };
}

test("without evidence the dialog names the files that can be added", async () => {
  serve();
  await open();
  expect(screen.getByText(/^Drop ERRORLOG, AlwaysOn_health/u)).toBeTruthy();
  expect(screen.queryByText("movement.xel")).toBeNull();
});

test("evidence is listed by server, without the files of the analysis", async () => {
  serve([movement, errorlog, counters]);
  const { onOpenChange } = await open();
  expect(screen.getByRole("button", { name: "ERRORLOG" })).toBeTruthy();
  expect(screen.queryByText("movement.xel")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(onOpenChange).toHaveBeenCalledWith(false);
});

/** A request that is never answered. */
class Unanswered extends EventTarget {
  readonly upload = new EventTarget();
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  abort(): void {
    this.dispatchEvent(new Event("abort"));
  }
}

test("while files are sent, the dialog is closed by its cross, which stops the sending", async () => {
  serve();
  vi.stubGlobal("XMLHttpRequest", Unanswered);
  const onOpenChange = vi.fn();
  const onChanged = vi.fn();
  const files = [{ file: new File(["x"], "counters.csv"), path: "counters.csv" }];
  const dialog = <AddEvidence address={captureAddress("c1")} files={files} onOpenChange={onOpenChange} />;
  await openCapture(dialog, { canChange: true, onChanged });
  await screen.findByText(/^Sending 1 file/u);
  expect(screen.getByRole("button", { name: "Done" })).toHaveProperty("disabled", true);
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect([onOpenChange.mock.calls, onChanged.mock.calls.length]).toEqual([[[false]], 1]);
});

test("a removed file changes the capture, and not the draft of the first screen", async () => {
  const changes = serve([movement, errorlog, counters]);
  const { onChanged } = await open();
  fireEvent.click(screen.getByRole("button", { name: "ERRORLOG" }));
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Remove ERRORLOG" })));
  await waitFor(() => expect(screen.queryByRole("button", { name: "ERRORLOG" })).toBeNull());
  expect(changes).toEqual(["DELETE /api/v1/captures/c1/files/id%20of%20ERRORLOG"]);
  expect(onChanged).toHaveBeenCalled();
  expect(useDraft.getState().capture).toBeNull();
});
