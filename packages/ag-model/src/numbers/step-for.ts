/**
 * Width of the steps of a time, so that no more are needed than fit into memory however long it is.
 * @param span of the time, in the unit of `step`
 * @param step width while there are no more of them than `most`; a multiple of it where there would be
 */
export const stepFor = (span: number, step: number, most: number): number =>
  step * Math.max(1, Math.ceil(span / step / most));
