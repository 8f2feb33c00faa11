/** Schedules of recordings, for the modules of watches. */
export { missedBetween, nextOf, problemOf } from "@aglens/ag-model/schedules";
