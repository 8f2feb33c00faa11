/**
 * Lanes of several databases: each database has its own log writer on each server, the path between the servers is
 * shared.
 */
import type { LaneFigure } from "@aglens/ag-model/lanes";
import type { Lane } from "./lanes.ts";

const SPLIT: ReadonlySet<LaneFigure> = new Set(["commit", "localFlush", "secondaryFlush"]);

/** A database as lanes name it. */
export interface LaneDatabase {
  /** Index in the capture. */
  readonly index: number;
  readonly name: string;
}

/** Lanes of a single database exist once for each database; those of the shared path are marked as common to all. */
export function splitByDatabase(lanes: readonly Lane[], databases: readonly LaneDatabase[]): Lane[] {
  if (databases.length < 2) return [...lanes];
  const all = databases.length === 2 ? "both" : "all";
  return lanes.flatMap((lane) => {
    if (!SPLIT.has(lane.figure))
      return [lane.place === "network" ? { ...lane, label: `${lane.label}, ${all}` } : lane];
    return databases.map(({ index, name }, i) => ({
      ...lane,
      key: `${lane.key}${SUFFIX}${index}`,
      label: `${lane.figure === "commit" ? "Commits" : lane.label}, ${name}`,
      heading: i === 0 ? lane.heading : "",
      opensPlace: i === 0 && lane.opensPlace,
      database: index,
    }));
  });
}

const SUFFIX = ".db";

/** Key of a lane where databases are not split. */
export const unsplitKey = ({ key, database }: Pick<Lane, "key" | "database">): string =>
  database === null ? key : key.slice(0, key.lastIndexOf(SUFFIX));

/**
 * Indices of the databases that have their own lanes, in the order of the lanes; empty where all databases share them.
 */
export const databasesOf = (lanes: readonly Pick<Lane, "database">[]): readonly number[] => [
  ...new Set(lanes.flatMap(({ database }) => database ?? [])),
];

/** Whether blocks of a database are drawn in a lane. */
export const showsDatabase = (lane: Pick<Lane, "database">, database: number | undefined): boolean =>
  lane.database === null || lane.database === database;
