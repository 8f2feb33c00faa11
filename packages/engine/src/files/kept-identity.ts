/** Converts the identity of a file between JSON, with ticks and log_block_ids as text, and the form of the grouping. */
import type { CaptureFile, FileIdentity as KeptIdentity } from "@aglens/contract";
import type { FileIdentity } from "@aglens/ag-model/grouping";
import { filetimeOfUnixMs } from "xel-parser/format";

/** @param identity as `identityOf` gave it */
export function keptIdentity(identity: FileIdentity): KeptIdentity {
  const text = JSON.stringify(identity, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return JSON.parse(text) as KeptIdentity;
}

/**
 * Ids in the events of a file. A file that an earlier version recognized has fewer, and belongs to the others' capture.
 */
export function identityOfFile(file: CaptureFile): FileIdentity {
  if (file.identity !== null) return revived(file.identity);
  const isSecondary = file.detectedRole === "secondary";
  const [fromTicks, toTicks] = [ticksOf(file.from), ticksOf(file.to)];
  const ranges =
    file.detectedRole === "unknown" ? [] : [{ role: file.detectedRole, fromTicks, toTicks, blocks: 0 }];
  return {
    ownIds: file.replicaId === null ? [] : [file.replicaId],
    partnerIds: file.partnerIds,
    groupIds: [],
    databases: [
      {
        id: "",
        primaryEvents: file.detectedRole === "primary" ? file.events : 0,
        secondaryEvents: isSecondary ? file.events : 0,
        stretches: ranges,
      },
    ],
    events: file.events,
    logEvents: file.events,
    fromTicks,
    toTicks,
    counterZeroTicks: null,
    engine: "2012",
  };
}

function revived(identity: KeptIdentity): FileIdentity {
  return JSON.parse(JSON.stringify(identity), (key, value: unknown) =>
    (key.endsWith("Ticks") || key.endsWith("BlockId")) && typeof value === "string" ? BigInt(value) : value,
  ) as FileIdentity;
}

const ticksOf = (iso: string | null): bigint =>
  iso === null ? 0n : filetimeOfUnixMs(Date.parse(iso.replace(/(\.\d{3})\d*Z$/u, "$1Z")));
