import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CAUSES } from "@aglens/ag-model/diagnosis";
import {
  partsOf,
  REMOTE_PATH,
  STAGES,
  stageName,
  WRITE_PART_IDS,
  writePart,
  type StageId,
  type WritePartId,
} from "@aglens/ag-model/replication";
import { expect, test } from "vitest";
import { helpOfCause, slugOf } from "./causes.ts";
import { definitionOf, type TermId } from "./terms.ts";

const GUIDE = join(import.meta.dirname, "../../../../docs/guide");
const ROLES = { primary: "Primary", secondary: "Secondary" };

/** Section of the page about the verdict that says what to check when a stage is slow. */
const CHECKS: Readonly<Record<StageId, string>> = {
  commitQueue: "Long group commit wait",
  localFlush: "Slow log writes on the primary",
  captureLag: "Flow control",
  compression: "Slow compression",
  send: "Slow send",
  wireOut: "Slow network",
  secondaryAppend: "Slow secondary outside its log write",
  decompression: "Slow compression",
  secondaryFlush: "Slow log writes on a secondary",
  ackBuild: "Slow secondary outside its log write",
  ackSend: "Slow secondary outside its log write",
  secondaryTotal: "Slow log writes on a secondary",
  wireBack: "Slow network",
  ackReceive: "Slow acknowledgment and wake-up",
  commitWakeUp: "Slow acknowledgment and wake-up",
  remoteHarden: "How to read the verdict",
  networkRoundTrip: "Slow network",
};

const CLOCKS = {
  primary: "exact, on the clock of the primary",
  secondary: "exact, on the clock of the secondary",
  aligned: "compares two clocks, so it has a bound (±)",
  exact: "exact, without a comparison of clocks",
} as const;

const sections = STAGES.map(({ id, definition, source, clock, limitUs }) => {
  const limit = Number.isNaN(limitUs) ? "" : ` Over ${limitUs / 1_000} ms, it is marked.`;
  return `## ${stageName(id, ROLES)}

${definition}
- **Measured:** ${source.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/gu, "`$&`")}; ${CLOCKS[clock]}.${limit}
- **If it is slow:** [${CHECKS[id]}](verdict.md#${slugOf(CHECKS[id])})
`;
});

const WRITE_PARTS = partsOf("secondaryFlush")
  .map(writePart)
  .map(({ label, definition, source }) => {
    const events = source.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/gu, "`$&`");
    return `- **${label}:** ${definition.replace(" This is part of the log write.", "")} Measured: ${events}.`;
  });

const SPLIT = `## Parts of a log write

A session that also records \`file_write_enqueued\` and \`file_write_completed\` shows whether a log write waits in SQL Server or
for the log disk. The parts add up to the log write. All are of the clock of its server.
${WRITE_PARTS.join("\n")}

Of several file writes, the first one that is enqueued and the last one that is complete count. Percentiles of the parts don't add up, so
shares are shares of sums. See [Does a slow log write wait in SQL Server or for the disk?](log-write-split.md)`;

const PARTS = REMOTE_PATH.map(({ id }) => stageName(id, ROLES).toLowerCase()).join(", ");

/** Written again by `npx vitest run guide-pages -u`. */
test("the page about stages has each stage with its definition, source and limit", async () => {
  const page = `# What are the stages of a log block?

A commit waits for the log write on the primary, and for the path to each synchronous-commit replica. The stages are in the
order of that path. Remote harden is a sum: ${PARTS}.

${sections.join("\n")}
${SPLIT}
`;
  await expect(page).toMatchFileSnapshot(join(GUIDE, "stages.md"));
});

const TERMS: Readonly<Record<Exclude<TermId, StageId | WritePartId>, true>> = {
  commit: true,
  acknowledge: true,
  p50: true,
  p95: true,
  p99: true,
  max: true,
  mean: true,
  releasedBy: true,
  uncertainty: true,
  releasedShare: true,
  nextReady: true,
  lsn: true,
  lag: true,
  unseen: true,
  busyShare: true,
  waitShare: true,
  waitByPlace: true,
  waitedAndServed: true,
  share: true,
  rank: true,
  obtained: true,
  commonTime: true,
  fired: true,
  published: true,
  offset: true,
  blockOffset: true,
  byteOffset: true,
  joinedBlocks: true,
  writeClasses: true,
  good: true,
  reasonable: true,
  busy: true,
  bad: true,
  idle: true,
  notRecorded: true,
  lost: true,
  notArrived: true,
};

const headingsOf = (page: string): string[] =>
  Array.from(readFileSync(join(GUIDE, `${page}.md`), "utf8").matchAll(/^## (.+)$/gmu), ([, heading = ""]) =>
    slugOf(heading),
  );

test.each(CAUSES)("the cause %s has a section of the guide", (cause) => {
  const [page = "", section] = helpOfCause(cause).split("/");
  expect(headingsOf(page)).toContain(section);
});

test.each([
  ...STAGES.map(({ id }) => id),
  ...WRITE_PART_IDS,
  ...(Object.keys(TERMS) as (keyof typeof TERMS)[]),
])("the definition of %s leads to a section of the guide", (id) => {
  const [page = "", section] = definitionOf(id).help.split("/");
  expect(headingsOf(page)).toContain(section);
});
