import type { ReactNode } from "react";
import { sentence } from "./sentence.ts";

/** Texts of the lists of slowest blocks and commits. */
export const slowestTexts = {
  // Commit columns
  slowestCommitHoldsHalf: "The slowest commit holds half of all waiting.",
  slowestCommitsHoldHalf: (half: string): string => `The ${half} slowest commits hold half of all waiting.`,
  openBlock: (blockName: string): string => `Open block ${blockName}`,
  notKnown: "not known",
  localLogWrite: "local log write",
  selectCommit: (index: number, start: string): string => `Select commit ${index}, ${start}`,

  // Ranked list
  first: (words: string, otherwise: string | undefined): string => `The first ${words}. ${otherwise}`,
  showMore: (words: string): string => `Show more, ${words}`,

  // Slowest commits
  slowestCommits: "Slowest commits",
  noCommit: "No commit of this capture is known.",
  noCommitInView: "No commit in view.",
  paths: "Paths",
  synchronousPathsOnOne: "synchronous paths on one scale, from the start of the commit",
  earlier: (name: string, earlierUs: ReactNode): ReactNode => sentence`${name}, ${earlierUs} earlier`,
  commit: "commit",
  releasesTheCommit: "releases the commit",
  releasesCommits: (commits: string): string => `releases ${commits} commits`,

  // Slowest table
  slowestBlocks: "Slowest blocks",
  zoomInOrChange: "Zoom in or change the order to see others.",
  fastestBlocks: "Fastest blocks",
  remoteHarden: "Remote harden",
  secondaryLogWrite: "Secondary log write",
  orderBy: "Order by",
  commitLabel: "Commit",
  blockRemoteHardenOf: (blockName: string, stage: string, position: number, total: string): string =>
    `Block ${blockName}, remote harden ${stage}, ${position} of ${total}`,
} as const;
