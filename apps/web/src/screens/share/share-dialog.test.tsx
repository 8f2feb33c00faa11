import { fireEvent, screen, within } from "@testing-library/react";
import type { Link } from "@aglens/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { leaseFailover } from "../../../test/evidence.ts";
import { type Answers, openCapture } from "../../../test/open-capture.tsx";
import { ShareDialog } from "./share-dialog.tsx";

const link: Link = {
  id: "old",
  captureId: "capture",
  path: "/",
  view: "v=1",
  title: "Friday, slow network",
  created: "2026-11-20T10:00:00Z",
  expires: null,
  audience: "anyone",
  hasPassphrase: false,
  replacesNames: false,
  takenBack: null,
  opens: { count: 0, last: null, after: 0 },
};

let sent: { readonly request: string; readonly body: unknown }[];
let links: Link[];

beforeEach(() => {
  sent = [];
  links = [];
  logCanvases();
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    const path = address.replace("/api/v1", "");
    const method = init?.method ?? "GET";
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : null;
    if (method !== "GET") sent.push({ request: `${method} ${path}`, body });
    if (method === "POST") {
      const made = { ...link, id: "made", title: "Made", deleteToken: "token" };
      links = [made, ...links];
      return Promise.resolve(Response.json(made));
    }
    if (method === "DELETE") return Promise.resolve(new Response(null, { status: 204 }));
    if (path.endsWith("/links")) return Promise.resolve(Response.json({ links }));
    return new Promise(() => {});
  });
});
afterEach(() => vi.unstubAllGlobals());

async function open(onOpenChange = vi.fn<(open: boolean) => void>(), answers: Answers = {}) {
  await openCapture(<ShareDialog open onOpenChange={onOpenChange} tab="timeline" />, { answers });
  return within(screen.getByRole("dialog", { name: "Share this view" }));
}

test("a link is made with the terms that were chosen, and can be taken back", async () => {
  const dialog = await open();
  fireEvent.change(dialog.getByLabelText("Title"), { target: { value: "  Slow write  " } });
  fireEvent.change(dialog.getByLabelText("Expires"), { target: { value: "never" } });
  await settled(() => fireEvent.click(dialog.getByRole("button", { name: "Make and copy link" })));
  expect(sent).toMatchObject([
    {
      request: "POST /links",
      body: { title: "Slow write", path: "/timeline", expiresInDays: null, replacesNames: false },
    },
  ]);
  expect(dialog.getByLabelText("Link")).toHaveProperty("value", `${window.location.origin}/l/made`);
  // The content of the link can no longer be changed.
  expect(dialog.getByLabelText("Title")).toHaveProperty("disabled", true);
  expect(dialog.queryByRole("button", { name: "Make and copy link" })).toBeNull();
  await settled(() => fireEvent.click(dialog.getByRole("button", { name: "Revoke" })));
  expect(sent[1]?.request).toBe("DELETE /links/made");
  expect(dialog.getByText("The link is revoked. It can't be opened any more.")).toBeTruthy();
});

test("without a title the link has the capture's name", async () => {
  const dialog = await open();
  fireEvent.change(dialog.getByLabelText("Title"), { target: { value: " " } });
  await settled(() => fireEvent.click(dialog.getByRole("button", { name: "Make and copy link" })));
  expect(sent).toMatchObject([{ body: { title: expect.stringMatching(/\S/u) as string } }]);
});

test("a passphrase is proposed, and one that is too short makes no link", async () => {
  const dialog = await open();
  fireEvent.click(dialog.getByRole("checkbox", { name: "Ask for a passphrase" }));
  const make = dialog.getByRole("button", { name: "Make and copy link" });
  expect(make).toHaveProperty("disabled", false);
  expect(dialog.getByText("shown only now, not in the link: send it another way")).toBeTruthy();
  fireEvent.change(dialog.getByLabelText("Passphrase"), { target: { value: "short" } });
  expect(dialog.getByText("at least 8 characters")).toBeTruthy();
  expect(make).toHaveProperty("disabled", true);
  fireEvent.change(dialog.getByLabelText("Passphrase"), { target: { value: "long enough" } });
  await settled(() => fireEvent.click(make));
  expect(sent).toMatchObject([{ body: { passphrase: "long enough" } }]);
});

test("earlier links are listed with their end and opens; a browser that did not make one can only copy it", async () => {
  links = [link];
  const dialog = await open();
  const row = within(
    within(dialog.getByRole("region", { name: "Links of this capture" })).getByRole("listitem"),
  );
  expect(row.getByText("Friday, slow network")).toBeTruthy();
  expect(row.getByText("no end")).toBeTruthy();
  expect(row.getByRole("button", { name: "Copy the link Friday, slow network" })).toBeTruthy();
  expect(row.queryByRole("button", { name: /^Revoke/u })).toBeNull();
});

test("names are replaced where that is chosen", async () => {
  const dialog = await open();
  fireEvent.click(
    dialog.getByRole("checkbox", { name: "Replace the names of servers, databases and files" }),
  );
  await settled(() => fireEvent.click(dialog.getByRole("button", { name: "Make and copy link" })));
  expect(sent).toMatchObject([{ body: { replacesNames: true } }]);
});

test("with replaced names the dialog tells that the link shows no evidence, where the capture has some", async () => {
  const left = "The link doesn't show evidence files, because they contain further names.";
  const dialog = await open(undefined, { evidence: leaseFailover });
  expect(dialog.queryByText(left)).toBeNull();
  fireEvent.click(dialog.getByRole("checkbox", { name: /^Replace the names/u }));
  expect(dialog.getByText(left)).toBeTruthy();
});

test("Cancel closes the dialog and makes nothing", async () => {
  const onOpenChange = vi.fn<(open: boolean) => void>();
  const dialog = await open(onOpenChange);
  fireEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect(sent).toEqual([]);
});
