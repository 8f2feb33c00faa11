import { createXelWriter } from "xel-parser/writer";
import { describe, expect, it } from "vitest";
import { AG_EVENTS } from "./ag-events.ts";
import {
  beginTime,
  EventKind,
  EVENTS,
  EVENTS_OF_SPLIT,
  EVENTS_PER_COMMIT,
  RECORDED_EVENTS,
  recordedEvents,
  fireTime,
  kindOfEvent,
  OTHER_EVENT,
} from "./catalog.ts";
import { EventName } from "./event-names.ts";
import { EVENT_REQUEST, readEvents } from "./read.ts";

/** SQL Server's name of each kind (docs/contribute/model/events.md 1.1). */
const NAMES: Readonly<Record<keyof typeof EventKind, string>> = {
  commit: "recovery_unit_harden_log_timestamps",
  groupCommit: "hadr_log_block_group_commit",
  pushedToLogPool: "log_block_pushed_to_logpool",
  flushStart: "log_flush_start",
  flushComplete: "log_flush_complete",
  compression: "hadr_log_block_compression",
  capture: "hadr_capture_log_block",
  filestreamWait: "hadr_capture_filestream_wait",
  vlfHeader: "hadr_capture_vlfheader",
  ucsSend: "ucs_connection_send_msg",
  sendComplete: "hadr_log_block_send_complete",
  receiveHarden: "hadr_receive_harden_lsn_message",
  updateHarden: "hadr_db_commit_mgr_update_harden",
  commitManagerHarden: "hadr_db_commit_mgr_harden",
  stillWaiting: "hadr_db_commit_mgr_harden_still_waiting",
  transportReceive: "hadr_transport_receive_log_block_message",
  decompression: "hadr_log_block_decompression",
  apply: "hadr_apply_log_block",
  ackSendComplete: "hadr_lsn_send_complete",
  sendHarden: "hadr_send_harden_lsn_message",
  databaseFlowControl: "hadr_database_flow_control_action",
  transportFlowControl: "hadr_transport_flow_control_action",
  ucsFlowControl: "ucs_connection_flow_control",
  fileWriteEnqueued: "file_write_enqueued",
  fileWriteCompleted: "file_write_completed",
};

const KINDS = Object.entries(NAMES) as [keyof typeof EventKind, string][];

describe("the number of a kind", () => {
  it.each(KINDS)("%s is that of %s, wherever it stands in the list", (kind, name) => {
    expect(EventName[kind]).toBe(name);
    expect(EVENTS[EventKind[kind]].name).toBe(name);
    expect(kindOfEvent(name)).toBe(EventKind[kind]);
    expect(EVENT_REQUEST.events.find((event) => event.name === name)?.kind).toBe(EventKind[kind]);
  });

  it("is one kind's alone, and none is that of another event", () => {
    expect(new Set(Object.values(EventKind)).size).toBe(EVENTS.length);
    expect(EVENTS.length).toBeLessThan(OTHER_EVENT);
    expect(kindOfEvent("sql_statement_completed")).toBe(OTHER_EVENT);
  });
});

describe("what a session records", () => {
  it("is every event of which a figure is made, but for those that split log writes, and no other", () => {
    expect(EVENTS_OF_SPLIT).toEqual([NAMES.fileWriteEnqueued, NAMES.fileWriteCompleted]);
    const never = [NAMES.ucsSend, NAMES.updateHarden, NAMES.ucsFlowControl, ...EVENTS_OF_SPLIT];
    expect([...RECORDED_EVENTS].toSorted()).toEqual(
      Object.values(NAMES)
        .filter((name) => !never.includes(name))
        .toSorted(),
    );
  });

  it("has three that fire once per commit", () => {
    expect(EVENTS_PER_COMMIT).toEqual([NAMES.commit, NAMES.groupCommit, NAMES.commitManagerHarden]);
    const rest = recordedEvents(false);
    expect([recordedEvents(true).length, rest.length]).toEqual([20, 17]);
    expect(rest.filter((name) => EVENTS_PER_COMMIT.includes(name))).toEqual([]);
  });
});

describe("start_timestamp", () => {
  it.each(["flushComplete", "sendComplete", "ackSendComplete"] as const)("is the end of %s", (kind) => {
    expect(fireTime(EventKind[kind], 1_000, 300)).toBe(1_000);
    expect(beginTime(EventKind[kind], 1_000, 300)).toBe(700);
    expect(beginTime(EventKind[kind], 1_000, Number.NaN)).toBe(1_000);
  });

  it("is the start of every other event", () => {
    const ends = new Set<string>(["flushComplete", "sendComplete", "ackSendComplete"]);
    for (const [kind] of KINDS.filter(([kind]) => !ends.has(kind))) {
      expect(fireTime(EventKind[kind], 1_000, 300), kind).toBe(1_300);
      expect(fireTime(EventKind[kind], 1_000, Number.NaN), kind).toBe(1_000);
      expect(beginTime(EventKind[kind], 1_000, 300), kind).toBe(1_000);
    }
  });
});

describe("fields", () => {
  it("are those that the events' types know", () => {
    for (const { name, fields } of EVENTS) {
      const known: object | undefined = Object.hasOwn(AG_EVENTS, name)
        ? AG_EVENTS[name as keyof typeof AG_EVENTS]
        : undefined;
      if (known)
        expect(
          fields.map(({ field }) => field).filter((field) => !Object.hasOwn(known, field)),
          name,
        ).toEqual([]);
    }
  });

  it("come in µs and bytes whatever unit they are written in", async () => {
    const written = {
      log_flush_complete: { duration: 7, start_timestamp: 100 },
      hadr_capture_log_block: { log_block_size: 3, processing_time: 9, start_timestamp: 200 },
      hadr_log_block_compression: { uncompressed_size: 1_000, processing_time: 8, start_timestamp: 300 },
      hadr_db_commit_mgr_harden: { time_to_commit: 11 },
    };
    const events = Object.entries(written).map(([name, values]) => ({
      name,
      columns: Object.keys(values).map((field) => ({ name: field, type: "uint64" as const })),
    }));
    const writer = createXelWriter({ packages: [{ name: "sqlserver", id: 2, events }] });
    for (const [i, [name, values]] of Object.entries(written).entries()) writer.write(name, i, values);
    const bytes = writer.finish();
    const columns = await readEvents(
      (async function* () {
        yield bytes;
      })(),
      "x.xel",
    );
    expect([...columns.processing]).toEqual([7_000, 9, 8, 11]);
    expect([...columns.size]).toEqual([Number.NaN, 3 * 512, 1_000, Number.NaN]);
    expect([...columns.start]).toEqual([100, 200, 300, Number.NaN]);
  });
});
