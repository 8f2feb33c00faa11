/** Captures side by side over weeks: which stage of which replica has changed, and since when. */
export { changeOf } from "./change.ts";
export { FLEET_STAGES, type FleetStage } from "./lanes.ts";
export { fleetVerdict, type ColumnUnit } from "./verdict.ts";
