import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { recognise } from "./recognise.ts";

const sent: EventSpec = { kind: "capture", at: 10, took: 0, partner: "id-2", database: "sales" };
const answered: EventSpec = { kind: "receiveHarden", at: 20, took: 0, self: "id-1", partner: "id-2" };
const received: EventSpec = { kind: "transportReceive", at: 30, took: 0, self: "id-3", partner: "id-4" };

describe("who captured a file", () => {
  it("is named by the first event that only its side has, not by flow control, which may name the other end", () => {
    const stopped: EventSpec = { kind: "databaseFlowControl", at: 5, took: 0, self: "id-2", action: "Set" };
    expect(recognise(eventColumns([stopped, sent, answered]))).toMatchObject({
      role: "primary",
      replicaId: "id-1",
    });
    expect(recognise(eventColumns([stopped, received]))).toMatchObject({
      role: "secondary",
      replicaId: "id-3",
    });
  });

  it("has the role of which there are more events, and is the primary where there are as many", () => {
    expect(recognise(eventColumns([answered, received]))).toMatchObject({
      role: "primary",
      replicaId: "id-1",
    });
    expect(recognise(eventColumns([answered, received, { ...received, at: 31 }]))).toMatchObject({
      role: "secondary",
      replicaId: "id-3",
    });
  });

  it("is not known from events that both sides have, nor from none", () => {
    const written: EventSpec = { kind: "flushStart", at: 1, self: "id-1" };
    expect(recognise(eventColumns([written]))).toMatchObject({
      role: "unknown",
      replicaId: null,
      evidence: "No event of the file is one that only a primary or only a secondary has.",
    });
    expect(recognise(eventColumns([]))).toMatchObject({
      role: "unknown",
      replicaId: null,
      evidence: "The file holds no events of an availability group.",
    });
  });
});
