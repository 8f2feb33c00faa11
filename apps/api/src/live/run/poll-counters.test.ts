import { expect, test } from "vitest";
import { CounterDeltas } from "./poll-counters.ts";

/** Rows of the view: names are padded there, and some versions write a plural. */
const row = (counter: string, instance: string, value: number) => ({
  object_name: "SQLServer:Database Replica".padEnd(128),
  counter_name: counter.padEnd(128),
  instance_name: instance.padEnd(128),
  cntr_value: String(value),
});

const primary = (delay: number, mirrored: number, sent: number, flow: number) => [
  row("Transaction Delay", "Sales", delay),
  row("Transaction Delay", "_Total", delay),
  row("Mirrored Write Transactions/sec", "Sales", mirrored),
  row("Bytes Sent to Replica/sec", "ag1:SQL2", sent),
  row("Flow Control Time (ms/sec)", "ag1:SQL2", flow),
  row("Flow Control/sec", "ag1:SQL2", flow / 10),
];

test("a delay is per transaction, everything else per second, and the total of an instance is left out", () => {
  const deltas = new CounterDeltas();
  expect(deltas.next(primary(1_000, 500, 10_000, 0), 10_000)).toBeNull();
  // 5 s: 590 ms for 1,000 transactions, 110,000 bytes, 1,540 ms in 154 flow controls.
  expect(deltas.next(primary(1_590, 1_500, 120_000, 1_540), 15_000)).toEqual({
    seconds: 5,
    databases: [
      {
        database: "Sales",
        transactionDelayMs: 0.59,
        mirroredPerSecond: 200,
        receivedBytesPerSecond: null,
        redoneBytesPerSecond: null,
      },
    ],
    replicas: [
      { name: "SQL2", sentBytesPerSecond: 22_000, flowControlMsPerSecond: 308, flowControlsPerSecond: 30.8 },
    ],
  });
});

test("without a transaction there is no delay per transaction", () => {
  const deltas = new CounterDeltas();
  deltas.next(primary(1_000, 500, 0, 0), 1_000);
  expect(deltas.next(primary(1_000, 500, 0, 0), 6_000)?.databases).toMatchObject([
    { transactionDelayMs: null, mirroredPerSecond: 0 },
  ]);
});

test("counters that began anew, and a clock that stood still, leave out an interval", () => {
  const deltas = new CounterDeltas();
  deltas.next(primary(1_000, 500, 0, 0), 1_000);
  expect(deltas.next(primary(10, 5, 0, 0), 6_000)).toBeNull();
  expect(deltas.next(primary(20, 10, 0, 0), 6_000)).toBeNull();
  expect(deltas.next(primary(30, 20, 0, 0), 11_000)?.databases).toMatchObject([{ transactionDelayMs: 1 }]);
});

test("no counters at all, as where they are switched off, give none", () => {
  const deltas = new CounterDeltas();
  deltas.next([], 1_000);
  expect(deltas.next([], 6_000)).toEqual({ seconds: 5, databases: [], replicas: [] });
});

test("an instance that is new counts from its second sample", () => {
  const deltas = new CounterDeltas();
  deltas.next([], 1_000);
  expect(deltas.next([row("Redone Bytes/sec", "Sales", 5_000)], 6_000)?.databases).toMatchObject([
    { database: "Sales", redoneBytesPerSecond: null },
  ]);
  expect(deltas.next([row("Redone Bytes/sec", "Sales", 6_000)], 11_000)?.databases).toMatchObject([
    { redoneBytesPerSecond: 200 },
  ]);
});
