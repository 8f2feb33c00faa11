/** Takes as much room as most durations: keeps the place of one that is coming, and is not shown. */
export const PLACE_US = 88_800;
