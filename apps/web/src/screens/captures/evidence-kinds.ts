import type { Capture, EvidenceFileKind } from "@aglens/contract";

/** Kinds that a capture without facts of evidence files may have, too. */
const WITHOUT_FACTS: ReadonlySet<EvidenceFileKind> = new Set([
  "movement",
  "otherEvents",
  "topology",
  "clusterLog",
  "windowsEvents",
  "scriptOutput",
  "unknown",
]);

/** Whether a file of this kind has facts in addition to data-movement events, now or after its conversion. */
export const hasFacts = (kind: EvidenceFileKind): boolean => !WITHOUT_FACTS.has(kind);

/** Whether the files of a draft are shown as a support folder. */
export const isSupportFolder = ({ files }: Pick<Capture, "files">): boolean =>
  files.some(({ evidenceFile }) => evidenceFile !== undefined && hasFacts(evidenceFile.kind));
