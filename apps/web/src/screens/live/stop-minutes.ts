/** After how many minutes a run can stop by itself. */
export const STOP_MINUTES = [15, 30, 60, 120, 240] as const;
