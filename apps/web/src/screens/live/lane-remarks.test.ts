import type { LiveLane, LiveReplica } from "@aglens/contract";
import { expect, it } from "vitest";
import { drawnLanes, remarksOf } from "./lane-remarks.ts";
import type { LiveState } from "./picture.ts";

const lane: LiveLane = {
  key: "hop0.secondaryFlush",
  label: "Log write",
  heading: "SQL2, secondary",
  place: "secondary",
  secondary: 0,
  replica: 0,
};

const remarkFor = (replica: Partial<LiveReplica>): string | undefined => {
  const whole = {
    index: 0,
    name: "SQL2",
    role: "secondary",
    state: "reading",
    ownSession: true,
    unheardSince: null,
    ...replica,
  };
  const state = { now: 100e6, lanes: [lane], replicas: [whole], clocks: [] } as unknown as LiveState;
  return remarksOf(drawnLanes(state), state).get(lane.key)?.replaceAll("\u2009", " ");
};

it.each([
  [{ behindSeconds: 0.4 }, undefined],
  [{ behindSeconds: 0.9 }, "SQL2 sends its buffer every 1 s"],
  [{ behindSeconds: 0.9, ownSession: false }, "SQL2 is heard 0.9 s late; the hatch is not zero"],
  [{ behindSeconds: 6.1 }, "SQL2 is heard 6.1 s late; the hatch is not zero"],
  [{ behindSeconds: 72, unheardSince: 28e6 }, "SQL2 not heard for 72 s"],
  [{ behindSeconds: 9, state: "waiting" as const }, "SQL2: connection lost"],
  [{ behindSeconds: null }, undefined],
])("a lane of a replica as %j says %j", (replica, words) => {
  expect(remarkFor(replica)).toBe(words);
});
