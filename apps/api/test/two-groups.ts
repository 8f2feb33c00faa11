/** Files that a stub analyzer takes for those of two availability groups: a capture of them can be made into two. */
import type { FileIdentity } from "@aglens/contract";
import type { StubAnalyzer } from "./stub-analyzer.ts";

/** Files called night.xel and day.xel are of a group each; ag.xml is about both. */
export function recognizeTwoGroups({ recognised }: StubAnalyzer): void {
  recognised.set("night.xel", { identity: identityOf("a"), detectedRole: "primary" });
  recognised.set("day.xel", { identity: identityOf("b"), detectedRole: "primary" });
  recognised.set("ag.xml", { kind: "topology", replicaNames: { a: "SQLA", b: "SQLB" } });
}

/** A primary of an availability group of its own. */
function identityOf(own: string): FileIdentity {
  return {
    ownIds: [own],
    partnerIds: [],
    groupIds: [`group ${own}`],
    databases: [
      {
        id: `database ${own}`,
        primaryEvents: 100,
        secondaryEvents: 0,
        stretches: [
          { role: "primary", fromTicks: "131069745600000000", toTicks: "131069745700000000", blocks: 50 },
        ],
      },
    ],
    events: 100,
    logEvents: 100,
    fromTicks: "131069745600000000",
    toTicks: "131069745700000000",
    counterZeroTicks: null,
    engine: "start_timestamp",
  };
}
