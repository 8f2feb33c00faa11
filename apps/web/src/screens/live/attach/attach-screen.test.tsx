import { fireEvent, render, screen, within } from "@testing-library/react";
import type { ContactLine, FirstContact, LiveCheck, LiveReplicaProposal } from "@aglens/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../../test/answers.tsx";
import { openPath } from "../../../state/navigate.ts";
import { AttachScreen } from "./attach-screen.tsx";
import { controlOf, forgetControl } from "../control.ts";

const replica = (name: string, isThisServer: boolean): LiveReplicaProposal => ({
  replicaId: name.toLowerCase(),
  serverName: name,
  group: "SALES-AG",
  role: name === "SQL1" ? "primary" : "secondary",
  commitMode: "sync",
  isThisServer,
  connected: true,
});

const checkOf = (serverName: string): LiveCheck => ({
  serverName,
  productVersion: "16.0.4205.1",
  edition: "Enterprise Edition (64-bit)",
  login: "lens",
  grantee: "lens",
  hadrEnabled: true,
  missing: [],
  replicas: [replica("SQL1", serverName === "SQL1"), replica("SQL2", serverName === "SQL2")],
  databases: [{ id: "1", databaseId: 5, name: "Sales", group: "SALES-AG", isContainedSystem: false }],
  missingEvents: [],
  sessions: [],
  leftovers: [],
  warnings: [],
});

const line: ContactLine = {
  statement: "Waits",
  section: "7.3",
  state: "asExpected",
  ms: 12,
  answer: "8 rows",
  differences: [],
};
const contact: FirstContact = {
  lines: [
    line,
    {
      ...line,
      statement: "Clock",
      state: "differs",
      differences: ["The answer has two rows instead of one."],
    },
  ],
  left: null,
  text: "AG Lens, first contact",
};

interface Sent {
  readonly path: string;
  readonly body: unknown;
}

let sent: Sent[];
let allowance: { enabled: boolean; reason: string; anyHost: boolean };

const bodyOf = (init?: RequestInit): { server?: { host?: string } } =>
  JSON.parse(typeof init?.body === "string" ? init.body : "{}") as { server?: { host?: string } };

function answerTo(path: string, host: string): Response {
  if (path === "/allowance") return Response.json(allowance);
  if (path === "/checks") return Response.json(checkOf(host));
  if (path === "/first-contacts") {
    const events = [
      ["progress", { line, done: 1, of: 2 }],
      ["report", contact],
    ] as const;
    return new Response(
      events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
    );
  }
  return Response.json({ id: "run7", control: "secret" });
}

beforeEach(() => {
  sent = [];
  allowance = { enabled: true, reason: "Any host", anyHost: true };
  window.history.replaceState(null, "", "/live");
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    const path = address.replace(/^.*\/live/u, "");
    const body = bodyOf(init);
    sent.push({ path, body });
    return Promise.resolve(answerTo(path, body.server?.host ?? ""));
  });
});
afterEach(() => {
  forgetControl("run7");
  vi.unstubAllGlobals();
});

async function open(): Promise<void> {
  render(<AttachScreen />, { wrapper: withAnswers() });
  await settled();
}

/** The form of SQL1 is filled in and checked. */
async function checkFirst(): Promise<void> {
  const card = within(screen.getByRole("region", { name: "Replica 1" }));
  for (const [label, value] of [
    ["Server", "SQL1"],
    ["User", "lens"],
    ["Password", "pass"],
  ] as const) {
    fireEvent.change(card.getByLabelText(label), { target: { value } });
  }
  await settled(() => fireEvent.click(card.getByRole("button", { name: "Check" })));
}

const sentTo = (path: string): unknown[] => sent.filter((one) => one.path === path).map(({ body }) => body);

test("a server that does not attach says why instead of a form", async () => {
  allowance = { enabled: false, reason: "Live mode is switched off.", anyHost: false };
  await open();
  expect(screen.getByText("This server does not attach to SQL Servers.")).toBeTruthy();
  expect(screen.getByText("Live mode is switched off.")).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Replica 1" })).toBeNull();
});

test("before a server answered there is nothing to attach to", async () => {
  await open();
  expect(screen.getByRole("heading", { name: "Attach to replicas while the load runs" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Attach" })).toHaveProperty("disabled", true);
});

test("a checked server shows its role and version, and proposes the other replicas", async () => {
  await open();
  await checkFirst();
  expect(sentTo("/checks")).toMatchObject([
    { server: { host: "SQL1" }, login: { kind: "sql", user: "lens", password: "pass" } },
  ]);
  expect(screen.getByRole("region", { name: "Replica 1" }).textContent).toContain(
    "SQL1 PrimarySQL Server 2022, 16.0.4205.1, TLS",
  );
  const others = within(screen.getByRole("region", { name: "Other replicas" }));
  expect(others.getByRole("listitem").textContent).toBe("SQL2secondary, sync, SALES-AGAdd");
});

test("an added replica is checked with the first one's login, and both are attached", async () => {
  await open();
  await checkFirst();
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Add SQL2" })));
  expect(sentTo("/checks")[1]).toMatchObject({ server: { host: "SQL2" }, login: { user: "lens" } });
  expect(screen.queryByRole("region", { name: "Other replicas" })).toBeNull();
  expect(screen.getByRole("heading", { name: "Attach to 2 replicas of SALES-AG" })).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: " Run 3 " } });
  fireEvent.change(screen.getByLabelText("Stop and keep automatically"), { target: { value: "30" } });
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Attach to 2 replicas" })));
  expect(sentTo("/runs")).toMatchObject([
    {
      title: "Run 3",
      withoutCommits: false,
      stopAfterMinutes: 30,
      replicas: [{ serverName: "SQL1" }, { serverName: "SQL2" }],
    },
  ]);
  expect(openPath()).toBe("/live/run7");
  expect(controlOf("run7")).toBe("secret");
});

test("a server that has not answered stays out of the run", async () => {
  await open();
  await checkFirst();
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Add a server by name" })));
  expect(screen.getByRole("button", { name: "Attach to 1 of 2 replicas" })).toBeTruthy();
  expect(screen.getByText(/^One server stays out of this run/u)).toBeTruthy();
});

test("the check of every statement shows first what differs, and can be done again", async () => {
  await open();
  await checkFirst();
  fireEvent.click(screen.getByRole("button", { name: "Attach and check…" }));
  const dialog = within(screen.getByRole("dialog", { name: "Attach and check SQL1" }));
  fireEvent.click(dialog.getByRole("checkbox"));
  await settled(() => fireEvent.click(dialog.getByRole("button", { name: "Check every statement" })));
  expect(sentTo("/first-contacts")).toMatchObject([{ server: { host: "SQL1" }, readsStream: true }]);
  expect(dialog.getByText("2 lines: 1 differs, 1 as expected.")).toBeTruthy();
  const [differing] = dialog.getAllByRole("table");
  expect(differing?.textContent).toContain("Clock live-protocol.md 7.3differs");
  expect(differing?.textContent).toContain("The answer has two rows instead of one.");
  expect(dialog.getByLabelText("Text file").textContent).toBe("AG Lens, first contact");
  fireEvent.click(dialog.getByRole("button", { name: "Check again" }));
  expect(dialog.getByRole("button", { name: "Check every statement" })).toBeTruthy();
});
