/** Compares captures over weeks: which stage of which replica has changed, and since when. */
export { changeAt, changeOf, largerWay, type Change } from "./change.ts";
export {
  FLEET_STAGES,
  fleetLaneName,
  fleetPlace,
  fleetSideName,
  fleetStageName,
  type FleetSideOf,
  type FleetStage,
} from "./lanes.ts";
export { fleetVerdict, type ColumnUnit } from "./verdict.ts";
