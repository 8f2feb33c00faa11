import { FileIdentity as KeptIdentity, type CaptureFile } from "@aglens/contract";
import type { FileIdentity } from "@aglens/ag-model/grouping";
import { expect, it } from "vitest";
import { identityOfFile, keptIdentity } from "./kept-identity.ts";

const IDENTITY: Required<FileIdentity> = {
  ownIds: ["id-1"],
  partnerIds: ["id-2"],
  groupIds: ["group-1"],
  databases: [
    {
      id: "db-sales",
      primaryEvents: 7,
      secondaryEvents: 8,
      stretches: [
        {
          role: "primary",
          fromTicks: 131_069_745_600_000_001n,
          toTicks: 131_069_745_600_000_002n,
          blocks: 3,
        },
      ],
      // Larger than a double can represent.
      range: { firstBlockId: 9_007_199_254_740_993n, lastBlockId: 9_007_199_254_740_995n },
      forwarded: 12,
    } satisfies Required<FileIdentity["databases"][number]>,
  ],
  events: 20,
  logEvents: 19,
  fromTicks: 131_069_745_600_000_000n,
  toTicks: 131_069_745_600_000_009n,
  counterZeroTicks: -5n,
  engine: "start_timestamp",
};

it("keeps all of an identity through the record of its file", () => {
  const record = KeptIdentity.parse(JSON.parse(JSON.stringify(keptIdentity(IDENTITY))));
  expect(identityOfFile({ identity: record } as CaptureFile)).toEqual(IDENTITY);
});
