import { WatchDefinition } from "@aglens/contract";
import { describe, expect, test } from "vitest";
import { NO_ADDRESS } from "../../server-form/server-address.ts";
import { inWords } from "./in-words.ts";
import { type ReplicaForm, rightsUnknown } from "./replica-forms.ts";
import {
  formOf,
  isSameForm,
  type NamesInFile,
  newForm,
  nextScheduleOf,
  readForm,
  type WatchForm,
} from "./watch-form.ts";

const replica = (serverName: string, role: ReplicaForm["role"]): ReplicaForm => ({
  key: serverName,
  address: { ...NO_ADDRESS, server: `${serverName.toLowerCase()}.corp.example,1433` },
  serverName,
  role,
  commitMode: "sync",
});
const REPLICAS = [replica("SQL1", "primary"), replica("SQL2", "secondary")];

const filled: WatchForm = { ...newForm("sales"), group: "SALES-AG", replicas: REPLICAS };
const withAmounts = (amounts: Partial<WatchForm["amounts"]>, form = filled): WatchForm => ({
  ...form,
  amounts: { ...form.amounts, ...amounts },
});
const withOn = (on: Partial<WatchForm["on"]>, form = filled): WatchForm => ({
  ...form,
  on: { ...form.on, ...on },
});
const NAMES: NamesInFile = {
  logins: ["sales"],
  receivers: (["DBA alerts", "on call"] as const).map((name) => ({ name, kind: "teams", shown: "" })),
};
const read = (form: WatchForm) => readForm(form, NAMES);
const problemsOf = (form: WatchForm): string[] => read(form).problems.map(({ sentence }) => sentence);

describe("a form", () => {
  test("becomes the definition that it shows", () => {
    const { definition, problems } = read(withOn({ schedules: true, ring: true }));
    expect(problems).toEqual([]);
    expect(WatchDefinition.parse(definition)).toEqual(definition);
    expect(definition).toEqual({
      group: "SALES-AG",
      login: "sales",
      everySeconds: 5,
      replicas: [
        {
          server: { host: "sql1.corp.example", port: 1433, encryption: "required", trustCertificate: false },
          serverName: "SQL1",
        },
        {
          server: { host: "sql2.corp.example", port: 1433, encryption: "required", trustCertificate: false },
          serverName: "SQL2",
        },
      ],
      triggers: {
        commitDelay: { overMs: 15, forSeconds: 15 },
        timesUsual: { times: 4, forSeconds: 30 },
        queue: { sendQueueKb: 102_400, rpoSeconds: 30 },
        state: true,
        schedules: [{ cron: "0 2 * * 0", forSeconds: 300 }],
        http: false,
      },
      recording: {
        quietSeconds: 60,
        mostSeconds: 600,
        ringSeconds: 30,
        mostPerDay: 6,
        mostPerWeek: 20,
        mostBytesPerWeek: 2_000_000_000,
        holdOffSeconds: 900,
        keepDays: 90,
        withoutCommits: false,
      },
      receivers: [],
    });
  });

  test("has what is switched off as null, whatever its text", () => {
    const off = withOn({ commitDelay: false, timesUsual: false, queue: false, state: false, commits: false });
    const { definition } = read(withAmounts({ delayOver: "soon", ring: "", rpo: "x" }, off));
    expect(definition?.triggers).toEqual({
      commitDelay: null,
      timesUsual: null,
      queue: null,
      state: false,
      schedules: [],
      http: false,
    });
    expect(definition?.recording).toMatchObject({ ringSeconds: null, withoutCommits: true });
  });

  test("needs no limit where a field is optional", () => {
    const { definition } = read(withAmounts({ rpo: "", keep: " " }));
    expect(definition?.triggers.queue).toEqual({ sendQueueKb: 102_400, rpoSeconds: null });
    expect(definition?.recording.keepDays).toBeNull();
    expect(problemsOf(withAmounts({ rpo: "", sendQueue: "" }))).toEqual([
      "Limit of log send queue: enter it, or an estimated data loss, or both.",
    ]);
  });

  test("says what can't be read, with the bounds", () => {
    expect(problemsOf(withAmounts({ every: "2 min", usualTimes: "1 ×", ring: "1 h", keep: "0" }))).toEqual([
      "Poll interval: enter 1 s to 1 min.",
      "Times the usual: enter 1.5 × to 100 ×.",
      "Days until captures are deleted: enter 1 day to 3650 days, or nothing.",
    ]);
    expect(problemsOf({ ...filled, login: "" })).toEqual(["Choose a login."]);
    expect(problemsOf({ ...filled, replicas: [] })).toEqual(["Find the replicas of the group first."]);
    const [first] = REPLICAS;
    const wrong = [{ ...replica("SQL2", "secondary"), address: { ...NO_ADDRESS, server: "a b" } }];
    expect(problemsOf({ ...filled, replicas: first === undefined ? [] : [first, ...wrong] })).toEqual([
      "Enter the address of SQL2.",
    ]);
  });

  test("names a login and receivers that the watch file no longer has", () => {
    expect(problemsOf({ ...filled, login: "old", receivers: ["gone", "on call", "left"] })).toEqual([
      "The watch file has no login old. Choose another one.",
      "The watch file has no receiver gone. Clear its checkbox.",
      "The watch file has no receiver left. Clear its checkbox.",
    ]);
  });

  test("says what is wrong with a schedule, while its trigger is on", () => {
    const schedules = [
      { key: "a", cron: "0 25 * * *", length: "5 min" },
      { key: "b", cron: "0 2 * * *", length: "2 h" },
    ];
    expect(problemsOf(withOn({ schedules: true }, { ...filled, schedules }))).toEqual([
      "Can't read 0 25 * * *: hour is 0 to 23.",
      "Length of a scheduled recording: enter 10 s to 1 h.",
    ]);
    expect(problemsOf({ ...filled, schedules })).toEqual([]);
  });

  test("of a watch is saved as the same watch", () => {
    for (const form of [filled, withOn({ schedules: true, ring: true, http: true, queue: false })]) {
      const { definition } = read({ ...form, receivers: ["on call"] });
      if (definition === null) throw new Error("The form has a problem.");
      const again = formOf(definition, REPLICAS);
      expect(read(again).definition).toEqual(definition);
    }
  });

  test("is the same until something is changed", () => {
    expect(isSameForm(filled, structuredClone(filled))).toBe(true);
    expect(isSameForm(filled, withOn({ http: true }))).toBe(false);
    expect(isSameForm(filled, withAmounts({ holdOff: "16 min" }))).toBe(false);
    const [first, second] = REPLICAS;
    if (first === undefined || second === undefined) throw new Error("Two replicas are needed.");
    const moved = { ...second, address: { ...second.address, server: "sql2" } };
    expect(isSameForm(filled, { ...filled, replicas: [first, moved] })).toBe(false);
    expect(isSameForm(filled, { ...filled, replicas: [first, { ...second, role: "unknown" }] })).toBe(true);
  });
});

test("a schedule has a next time as long as it can be read", () => {
  const tuesday = Date.UTC(2026, 10, 24, 3);
  expect(nextScheduleOf({ cron: "0 2 * * 0" }, tuesday)).toBe(Date.UTC(2026, 10, 29, 2));
  expect(nextScheduleOf({ cron: "0 25 * * *" }, tuesday)).toBeNull();
});

describe("in words", () => {
  const noRights = {};
  const wordsOf = (form: WatchForm, rights: Parameters<typeof inWords>[2] = noRights): string[] => {
    const { definition } = read(form);
    return definition === null ? [] : inWords(definition, form.replicas, rights);
  };
  const only = withOn({ timesUsual: false, queue: false, state: false });

  test("a watch polls, records and sends messages", () => {
    expect(wordsOf({ ...only, receivers: ["DBA alerts", "on call"] })).toEqual([
      "AG Lens polls SQL1 and SQL2 every 5 s.",
      "When commits wait over 15 ms for 15 s, it records SQL1 and SQL2.",
      "It sends messages to DBA alerts and on call.",
    ]);
  });

  test("a server without the right to record is recorded later", () => {
    const lacking = { ...rightsUnknown(""), problem: null, mayRecord: false };
    const rights = { SQL2: { is: "known", rights: lacking } } as const;
    expect(wordsOf(only, rights)[1]).toBe(
      "When commits wait over 15 ms for 15 s, it records SQL1, and SQL2 once its right is granted.",
    );
    const both = { ...rights, SQL1: { is: "known", rights: lacking } } as const;
    expect(wordsOf(only, both)[1]).toBe(
      "When commits wait over 15 ms for 15 s, it records SQL1 and SQL2 once their rights are granted.",
    );
  });

  test("all rules and schedules are named", () => {
    expect(wordsOf(withOn({ schedules: true })).slice(1)).toEqual([
      "When commits wait over 15 ms for 15 s, it records SQL1 and SQL2.",
      "It also records when commits wait over 4 times the usual for 30 s.",
      "It also records when a log send queue is over 100 MB.",
      "It also records when the estimated data loss is over 30 s.",
      "It also records when a role or state changes.",
      "Schedule: Sundays 02:00 UTC, for 5 min.",
      "It sends no messages.",
    ]);
  });

  test("without a rule only a person starts a recording", () => {
    expect(wordsOf(withOn({ commitDelay: false }, only))[1]).toBe(
      "When a person starts it, it records SQL1 and SQL2.",
    );
  });
});
