import { fireEvent, render, screen, within } from "@testing-library/react";
import type { LiveCheck, Watch, WatchCheck, WatchDefinition, Watches } from "@aglens/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../../test/answers.tsx";
import { watch, watchedReplica } from "../../../../test/watch.ts";
import { AccountContext } from "../../../state/account.ts";
import { openPath } from "../../../state/navigate.ts";
import { rememberTime } from "../../../state/time-choice.ts";
import { WatchEditScreen } from "./watch-edit-screen.tsx";

const GRANT = "GRANT ALTER ANY EVENT SESSION TO [aglens_watch];";

/** As the API reports it: without this permission, catalog views are empty. */
const HIDDEN: LiveCheck["missing"][number] = {
  permission: "VIEW ANY DEFINITION",
  purpose: "sees the names of groups",
  consequence: "Availability modes are unknown.",
  blocking: false,
  grant: "GRANT VIEW ANY DEFINITION TO [aglens_watch];",
};
const NO_RIGHTS_MISSING = { maySignIn: true, mayWatch: true, mayRecord: true, problem: null };

const answerOf = (serverName: string, isMissing: boolean): LiveCheck => ({
  serverName,
  productVersion: "15.0.4123.1",
  edition: "Enterprise Edition (64-bit)",
  login: "aglens_watch",
  grantee: "aglens_watch",
  hadrEnabled: true,
  missing: isMissing
    ? [
        {
          permission: "ALTER ANY EVENT SESSION",
          purpose: "creates and drops the session",
          consequence: "AG Lens can't create its event session.",
          blocking: true,
          grant: GRANT,
        },
      ]
    : [],
  replicas: groups.flatMap((group) =>
    (["SQL1", "SQL2"] as const).map((name) => ({
      replicaId: `id-${group}-${name}`,
      serverName: name,
      group,
      role: name === "SQL1" ? "primary" : "secondary",
      commitMode: "sync",
      isThisServer: name === serverName,
      connected: true,
    })),
  ),
  databases: [],
  missingEvents: [],
  sessions: [],
  leftovers: [],
  warnings: [],
});

/** SQL2 lacks a right until it is granted. */
let isGranted: boolean;
let watches: Watches;
/** Groups of SQL1; "" where the login can't see their names. */
let groups: readonly string[];
/** Addresses that don't answer. */
let unreachable: readonly string[];
let sent: { readonly path: string; readonly body: unknown }[];

function checked(host: string): WatchCheck {
  if (unreachable.includes(host)) {
    const problem = { code: "live-unreachable", detail: `${host} cannot be reached.`, sql: null };
    return { maySignIn: false, mayWatch: false, mayRecord: false, problem, answer: null };
  }
  const serverName = host.replace(/\..*$/u, "");
  const isMissing = serverName === "SQL2" && !isGranted;
  const answer = answerOf(serverName, isMissing);
  if (groups.includes("")) return { ...NO_RIGHTS_MISSING, answer: { ...answer, missing: [HIDDEN] } };
  return { maySignIn: true, mayWatch: true, mayRecord: !isMissing, problem: null, answer };
}

const watchOf = (definition: WatchDefinition, more: Partial<Watch> = {}): Watch =>
  watch({
    definition,
    owner: { id: "ann", name: "Ann" },
    replicas: definition.replicas.map(({ serverName }) =>
      watchedReplica(serverName, {
        role: serverName === "SQL1" ? "primary" : "secondary",
        missing: [],
        cost: { polls: 720, cpuSeconds: serverName === "SQL1" ? 1.3 : null, bytes: 5_400_000 },
      }),
    ),
    ...more,
  });

const STORED: WatchDefinition = {
  group: "SALES-AG",
  login: "sales",
  everySeconds: 10,
  replicas: (["SQL1", "SQL2"] as const).map((serverName) => ({
    serverName,
    server: { host: serverName, encryption: "required", trustCertificate: false },
  })),
  triggers: {
    commitDelay: null,
    timesUsual: { times: 2.5, forSeconds: 60 },
    queue: { sendQueueKb: null, rpoSeconds: 45 },
    state: true,
    schedules: [],
    http: true,
  },
  recording: {
    quietSeconds: 90,
    mostSeconds: 600,
    ringSeconds: 20,
    mostPerDay: 6,
    mostPerWeek: 20,
    mostBytesPerWeek: 2_500_000_000,
    holdOffSeconds: 0,
    keepDays: null,
    withoutCommits: true,
  },
  receivers: ["on call"],
};

function answerTo(path: string, body: unknown): unknown {
  if (path === "/check") return checked((body as { server: { host: string } }).server.host);
  if (path === "/messages/test") return { isAccepted: true, text: "Accepted in 0.4 s." };
  if (path === "/rehearsal") {
    const trigger = { value: 38, limit: 15, usual: 4, at: "2026-11-24T02:41:25Z" };
    return {
      days: 7,
      triggers: [
        { ...trigger, rule: "commitDelay", text: "Commit delay over 15 ms for 15 s", refusal: null },
        { ...trigger, rule: "state", text: "Failover from SQL1 to SQL2", refusal: "The limit is 1 a day." },
        { ...trigger, rule: "schedule", text: "Schedule", refusal: null },
      ],
    };
  }
  if (body === null) return watches;
  return watchOf(body as WatchDefinition, { id: "w7" });
}

beforeEach(() => {
  [isGranted, sent, groups, unreachable] = [false, [], ["SALES-AG"], []];
  watches = {
    watches: [],
    logins: ["sales", "crm"],
    receivers: [
      { name: "DBA alerts", kind: "teams", shown: "" },
      { name: "on call", kind: "email", shown: "dba@example.com" },
    ],
    problem: null,
  };
  window.history.replaceState(null, "", "/watches/new?server=SQL1");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 24, 8) });
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    const path = address.replace(/^.*\/watches/u, "");
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : null;
    sent.push({ path, body });
    return Promise.resolve(Response.json(answerTo(path, body)));
  });
});
afterEach(() => {
  rememberTime("utc");
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open(id: string | null = null): Promise<void> {
  render(<WatchEditScreen id={id} />, { wrapper: withAnswers() });
  await settled();
}

async function press(name: string): Promise<void> {
  await settled(() => fireEvent.click(screen.getByRole("button", { name })));
  await settled();
}

const type = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });

const rowOf = (server: string): string =>
  within(screen.getByRole("region", { name: "Replicas" })).getByRole("row", {
    name: new RegExp(`^${server}`, "u"),
  }).textContent ?? "";
const meaning = (): string => screen.getByRole("complementary").textContent ?? "";

test("replicas are found from the primary, each with its own rights", async () => {
  await open();
  expect(screen.getByLabelText("Primary")).toHaveProperty("value", "SQL1");
  expect(sent.map(({ path }) => path)).toEqual([""]);
  await press("Find replicas");
  expect(screen.getByRole("columnheader", { name: "Role, found from SQL1" })).toBeTruthy();
  expect(rowOf("SQL1")).toBe("SQL1Primary aglens_watch granted granted");
  expect(rowOf("SQL2")).toBe("SQL2Secondary, sync aglens_watch granted 1 right missing");
  expect(screen.getByLabelText("GRANT statements for SQL2").textContent).toContain(GRANT);
  expect(meaning()).toContain("it records SQL1, and SQL2 once its right is granted.");
  expect(meaning()).toContain("SQL2 can't be recorded. Without it, network and SQL2's disk are one bar.");
});

test("a login that can't see groups gets the GRANT for it, and nothing to save", async () => {
  groups = [""];
  await open();
  await press("Find replicas");
  expect(screen.getByRole("alert").textContent).toContain(
    "The login can't see the groups of SQL1. Grant VIEW ANY DEFINITION, then find the replicas again.",
  );
  expect(screen.getByLabelText("GRANT statements for SQL1").textContent).toContain(HIDDEN.grant);
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.getByRole("button", { name: "Save watch" })).toHaveProperty("disabled", true);
});

test("a watch keeps its group where the primary has two", async () => {
  groups = ["CRM-AG", "SALES-AG"];
  watches = { ...watches, watches: [watchOf(STORED)] };
  await open("w1");
  await press("Change primary or login");
  await press("Find replicas");
  expect(screen.getByLabelText("Availability group")).toHaveProperty("value", "SALES-AG");
  await press("Save watch");
  expect(sent.at(-1)).toMatchObject({ path: "/w1", body: { group: "SALES-AG" } });
});

test("a login and a receiver that the file no longer has are shown, and keep the form from being saved", async () => {
  const definition = { ...STORED, login: "old", receivers: ["gone", "on call"] };
  watches = { ...watches, watches: [watchOf(definition)] };
  await open("w1");
  expect(meaning()).toContain("The watch file has no login old. Choose another one.");
  expect(meaning()).toContain("The watch file has no receiver gone. Clear its checkbox.");
  const login = screen.getByLabelText("Login");
  expect(login).toHaveProperty("value", "old");
  fireEvent.change(login, { target: { value: "crm" } });
  expect(screen.getByText("gone, not in the watch file")).toBeTruthy();
  fireEvent.click(screen.getByLabelText("gone"));
  // A cleared checkbox can be set again.
  expect(screen.getByLabelText("gone")).toHaveProperty("checked", false);
  await press("Save watch");
  expect(sent.at(-1)).toMatchObject({ body: { login: "crm", receivers: ["on call"] } });
});

test("the field of an address stays while it is typed, and rights of the old address are forgotten", async () => {
  unreachable = ["SQL1", "SQL2"];
  watches = { ...watches, watches: [watchOf(STORED)] };
  await open("w1");
  await press("Change primary or login");
  fireEvent.change(screen.getByLabelText("Login"), { target: { value: "crm" } });
  await press("Check rights");
  expect(rowOf("SQL1")).toContain("–");
  for (const server of ["SQL", "SQL1", "SQL1.corp.example"]) {
    type("Address of SQL1", server);
    expect(screen.getByLabelText("Address of SQL1")).toHaveProperty("value", server);
  }
  expect(rowOf("SQL1")).toContain("not asked");
  expect(screen.getByText("SQL2 cannot be reached.")).toBeTruthy();
  await press("Check again: SQL1");
  expect(rowOf("SQL1")).toContain("granted");
  expect(screen.queryByLabelText("Address of SQL1")).toBeNull();
  expect(screen.getByLabelText("Address of SQL2")).toBeTruthy();
});

test("a right that is granted is found by a check of its server alone", async () => {
  await open();
  await press("Find replicas");
  sent = [];
  isGranted = true;
  await press("Check again: SQL2");
  expect(sent).toMatchObject([{ path: "/check", body: { server: { host: "SQL2" }, login: "sales" } }]);
  expect(rowOf("SQL2")).toBe("SQL2Secondary, sync aglens_watch granted granted");
  expect(screen.queryByLabelText("GRANT statements for SQL2")).toBeNull();
  expect(meaning()).toContain("No right is missing.");
});

test("it is saved with what was typed, also without a right", async () => {
  await open();
  await press("Find replicas");
  type("Limit of commit delay", "20 ms");
  fireEvent.click(screen.getByLabelText("Schedule"));
  fireEvent.click(screen.getByLabelText("on call"));
  sent = [];
  await settled(() =>
    fireEvent.keyDown(screen.getByLabelText("Limit of commit delay"), { key: "Enter", ctrlKey: true }),
  );
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    path: "",
    body: {
      group: "SALES-AG",
      login: "sales",
      replicas: [{ serverName: "SQL1" }, { serverName: "SQL2" }],
      triggers: {
        commitDelay: { overMs: 20, forSeconds: 15 },
        schedules: [{ cron: "0 2 * * 0", forSeconds: 300 }],
      },
      recording: { ringSeconds: null },
      receivers: ["on call"],
    },
  });
  expect(openPath()).toBe("/watches/w7");
});

test("what can't be read isn't saved, and is told in words", async () => {
  await open();
  await press("Find replicas");
  fireEvent.click(screen.getByLabelText("Schedule"));
  type("Cron expression 1", "0 25 * * *");
  expect(screen.getAllByText("Can't read 0 25 * * *: hour is 0 to 23.")).toHaveLength(2);
  expect(screen.getByRole("button", { name: "Save watch" })).toHaveProperty("disabled", true);
  sent = [];
  fireEvent.keyDown(screen.getByLabelText("Cron expression 1"), { key: "Enter", ctrlKey: true });
  await settled();
  expect(sent).toEqual([]);
});

test("a schedule is in UTC, its next time in the reader's zone", async () => {
  await open();
  fireEvent.click(screen.getByLabelText("Schedule"));
  expect(screen.getByText("next: 2026-11-29 02:00 UTC")).toBeTruthy();
  // Auckland, where tests run, is 13 hours ahead in November.
  await settled(() => rememberTime("browser"));
  expect(screen.getByText("next: 2026-11-29 15:00 UTC+13")).toBeTruthy();
  expect(screen.getByText(/Sundays 02:00 UTC, for/u)).toBeTruthy();
});

test("a test message shows the time and the answer of its receiver", async () => {
  await open();
  await press("Send test to DBA alerts");
  expect(sent.at(-1)).toEqual({ path: "/messages/test", body: { receiver: "DBA alerts" } });
  expect(screen.getByText("08:00 UTC: Accepted in 0.4 s.")).toBeTruthy();
  expect(screen.getAllByText("not tested")).toHaveLength(1);
});

test("Esc leaves at once, and asks where something was changed", async () => {
  await open();
  fireEvent.keyDown(screen.getByLabelText("Primary"), { key: "Escape" });
  expect(openPath()).toBe("/watches");
  window.history.replaceState(null, "", "/watches/new");
  type("Hold-off", "20 min");
  fireEvent.keyDown(screen.getByLabelText("Hold-off"), { key: "Escape" });
  const dialog = within(screen.getByRole("dialog", { name: "Discard the changes?" }));
  expect(openPath()).toBe("/watches/new");
  fireEvent.click(dialog.getByRole("button", { name: "Discard changes" }));
  expect(openPath()).toBe("/watches");
});

test("a watch is opened as it is stored, with its cost and what its triggers would have started", async () => {
  watches = { ...watches, watches: [watchOf(STORED)] };
  await open("w1");
  await settled();
  expect(screen.queryByLabelText("Primary")).toBeNull();
  expect(rowOf("SQL2")).toContain("granted");
  const pane = within(screen.getByRole("complementary"));
  expect(pane.getByRole("row", { name: /^Polling, CPU/u }).textContent).toBe("Polling, CPU1.3\u2009s–");
  expect(meaning()).toContain("These triggers start 2 times: 1 recorded, 1 refused.");
  expect(meaning()).toContain("The schedule adds 1 recording.");
  await press("Save watch");
  expect(sent.at(-1)).toMatchObject({ path: "/w1", body: STORED });
});

test("a new watch has no polls, and nothing measured", async () => {
  await open();
  expect(screen.getByText("No polls yet.")).toBeTruthy();
  expect(screen.getByText("Not measured yet.")).toBeTruthy();
});

test.each([
  ["w9", {}, "This watch doesn't exist."],
  ["w1", { mayChange: false }, "Only Ann or an admin can change it."],
])("%s with %j isn't edited", async (id, more, text) => {
  watches = { ...watches, watches: [watchOf(STORED, more)] };
  await open(id);
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Save watch" })).toBeNull();
});

test("without a login there is the operator's sentence, and a viewer is told whom to ask", async () => {
  watches = { ...watches, logins: [], problem: "AGLENS_WATCH_FILE isn't set." };
  await open();
  expect(screen.getByText("AGLENS_WATCH_FILE isn't set.")).toBeTruthy();
  const person = { id: "v", name: "Vera", role: "viewer" } as const;
  render(
    <AccountContext value={{ person, signOut: () => undefined }}>
      <WatchEditScreen id={null} />
    </AccountContext>,
    { wrapper: withAnswers() },
  );
  await settled();
  expect(screen.getByText("Ask a contributor to watch this availability group.")).toBeTruthy();
});
