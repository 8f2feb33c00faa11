import type { Overview } from "@aglens/contract";
import { REMOTE_PATH } from "@aglens/ag-model/replication";
import type { Ground } from "../src/charts/overview/ground.ts";

/** Sums of the remote path's stages per bin, µs; empty by default. */
export const stageSumsOf = (more: Partial<Overview["stageSums"]>): Overview["stageSums"] => ({
  ...(Object.fromEntries(REMOTE_PATH.map(({ id }) => [id, []])) as unknown as Overview["stageSums"]),
  ...more,
});

/** Ten seconds in bins of a second without a block; `more` sets their content. */
export const overviewOf = (more: Partial<Overview>): Overview => ({
  from: 0,
  to: 10_000_000,
  binUs: 1_000_000,
  blocks: Array.from({ length: 10 }, () => 0),
  bytes: Array.from({ length: 10 }, () => 0),
  commits: Array.from({ length: 10 }, () => 0),
  commitP50: [],
  commitP95: [],
  commitP99: [],
  commitMax: [],
  hardenP50: [],
  hardenP95: [],
  hardenP99: [],
  hardenMax: [],
  stageSums: stageSumsOf({}),
  idle: [],
  uncovered: [],
  ...more,
});

/** A plot with nothing drawn under its data; `more` sets its ground. */
export const groundOf = (more: Partial<Ground> = {}): Ground => ({
  idle: [],
  uncovered: [],
  episodes: [],
  ticks: [],
  ...more,
});
