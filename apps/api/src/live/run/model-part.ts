/** The part of a live picture that the model computes. */
import type { LivePicture } from "@aglens/contract";
import type { DatabasePicture, LiveModelPicture } from "@aglens/ag-model/live";

type ModelPart = Pick<
  LivePicture,
  | "lanes"
  | "phases"
  | "decodedTo"
  | "bins"
  | "overview"
  | "figures"
  | "shares"
  | "readouts"
  | "verdict"
  | "judged"
  | "clocks"
  | "blocksPerSecond"
  | "commitsPerSecond"
  | "databases"
  | "database"
>;

/** Picture of a database without any known facts. */
const NOTHING_YET: DatabasePicture = {
  bins: null,
  overview: null,
  figures: {},
  shares: [],
  readouts: [],
  verdict: null,
  judged: null,
  blocksPerSecond: Number.NaN,
  commitsPerSecond: Number.NaN,
};

/** A picture with only one of the watched databases; null does not change it. */
function narrowed(model: LiveModelPicture, database: string | null): LiveModelPicture {
  return database === null ? model : { ...model, ...(model.byDatabase[database] ?? NOTHING_YET) };
}

/** A picture for clients that have its bins already. */
export function withoutBins(model: LiveModelPicture): LiveModelPicture {
  const none = { bins: null, overview: null };
  const parts = Object.entries(model.byDatabase);
  const byDatabase = Object.fromEntries(parts.map(([name, part]) => [name, { ...part, ...none }]));
  return { ...model, ...none, byDatabase };
}

/**
 * Results of the model; NaN becomes null where it is written as JSON.
 * @param database selects the database for lanes, figures and verdict; null: all
 */
export function modelPart(
  whole: LiveModelPicture | null,
  replicas: number,
  database: string | null,
): ModelPart {
  if (whole === null) {
    return {
      lanes: [],
      phases: [],
      decodedTo: Array.from({ length: replicas }, () => null),
      bins: null,
      overview: null,
      figures: {},
      shares: [],
      readouts: [],
      verdict: null,
      judged: null,
      clocks: [],
      blocksPerSecond: null,
      commitsPerSecond: null,
      databases: [],
      database,
    };
  }
  const {
    originTicks: _origin,
    now: _now,
    deliveries: _deliveries,
    episodes: _episodes,
    byDatabase: _byDatabase,
    held: _held,
    lanes,
    phases,
    databases,
    ...rest
  } = narrowed(whole, database);
  return {
    ...rest,
    databases: [...databases],
    database,
    lanes: [...lanes],
    phases: phases.map((phase) => ({ ...phase, lanes: [...phase.lanes] })),
  };
}
