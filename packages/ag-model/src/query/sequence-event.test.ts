import { describe, expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { toSequenceEvent } from "./index.ts";

type RawEvent = Parameters<typeof toSequenceEvent>[2];

const raw = (name: string, fields: RawEvent["fields"] = {}): RawEvent => ({
  name,
  ticks: 131_069_746_150_000_000n,
  fields,
  actions: {},
});

/** Three replicas, `replica-0` to `replica-2`, with one file each; replica 0 is the primary. */
function capture(primary = 0): CaptureModel {
  const model = modelOf([{ at: 0 }], { secondaries: 2 });
  const files = model.replicas.map((_, replica) => ({
    ...model.files[0],
    name: `sql${replica}.xel`,
    replica,
  }));
  const phases = [{ ...model.phases[0], primary }];
  return { ...model, files, phases };
}

/** The slot that an event in a replica's file is about. */
const secondaryOf = (model: CaptureModel, file: number, event: RawEvent) =>
  toSequenceEvent(model, { file, offset: 0, fire: 0 }, event).secondary;

describe("the hop that a raw event is about", () => {
  const sentTo = (partner: string) => raw("hadr_capture_log_block", { availability_replica_id: partner });

  it("is the one to its partner, where the primary's file has it", () => {
    expect([0, 1, 2].map((r) => secondaryOf(capture(), 0, sentTo(`REPLICA-${r}`)))).toEqual([null, 0, 1]);
    const acknowledged = raw("hadr_receive_harden_lsn_message", {
      target_availability_replica_id: "replica-2",
    });
    expect(secondaryOf(capture(), 0, acknowledged)).toBe(1);
  });

  it("follows the primary: back to the first replica once another one is it", () => {
    expect(secondaryOf(capture(1), 1, sentTo("replica-0"))).toBe(0);
    expect(secondaryOf(capture(1), 1, sentTo("replica-2"))).toBe(1);
    const both = { ...capture(), phases: [...capture(0).phases, ...capture(1).phases] };
    expect(secondaryOf(both, 1, sentTo("replica-0"))).toBe(0);
    expect(secondaryOf(both, 2, sentTo("replica-0"))).toBeNull();
  });

  it("is none without a partner that is known, in a secondary's file, and of an event that only a secondary has", () => {
    expect(secondaryOf(capture(), 0, raw("hadr_capture_log_block"))).toBeNull();
    expect(secondaryOf(capture(), 0, sentTo("somebody"))).toBeNull();
    expect(
      secondaryOf(capture(), 0, raw("log_flush_start", { availability_replica_id: "replica-1" })),
    ).toBeNull();
    expect(secondaryOf(capture(), 1, sentTo("replica-0"))).toBeNull();
    const received = raw("hadr_transport_receive_log_block_message", {
      target_availability_replica_id: "replica-1",
    });
    expect(secondaryOf(capture(), 0, received)).toBeNull();
  });
});

describe("a raw event", () => {
  const shown = (event: RawEvent, fire = 1_000) =>
    toSequenceEvent(capture(), { file: 1, offset: 77, fire }, event);

  it("has the file and the replica it is from, its mode, and its duration's own unit", () => {
    const event = shown(raw("hadr_apply_log_block", { mode: 2, total_processing_time: 300 }));
    expect(event).toMatchObject({
      replica: 1,
      file: "sql1.xel",
      offset: 77,
      mode: 2,
      begin: 700,
      fire: 1_000,
      duration: 300,
      durationUnit: "µs",
    });
    expect(shown(raw("log_flush_start"))).toMatchObject({
      begin: 1_000,
      duration: null,
      durationUnit: null,
      mode: null,
    });
    expect(shown(raw("log_flush_start"), Number.NaN)).toMatchObject({ begin: null, fire: null });
    expect(shown(raw("hadr_apply_log_block", { total_processing_time: Number.NaN })).duration).toBeNull();
  });

  it("names its block whether the id is a bigint or a number, unless the number is not exact", () => {
    const lsn = (id: bigint | number | string) => shown(raw("log_flush_start", { log_block_id: id })).lsn;
    expect([lsn(0x22_0000_0167n), lsn(0x22_0000_0167)]).toEqual(["00000022:00000167", "00000022:00000167"]);
    expect([lsn(2 ** 60), lsn(0.5), lsn("34:359")]).toEqual([null, null, null]);
    expect(shown(raw("hadr_db_commit_mgr_harden", { wait_log_block: 0x22_0000_0001n })).lsn).toBe(
      "00000022:00000001",
    );
  });

  it("is by its publish time where it has no start", () => {
    expect(shown(raw("log_flush_start", { start_timestamp: 5 })).byPublish).toBe(false);
    expect(shown(raw("log_flush_start")).byPublish).toBe(true);
    expect(shown(raw("something_else", { start_timestamp: 5n })).byPublish).toBe(false);
  });
});
