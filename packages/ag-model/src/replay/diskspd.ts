/** Percentiles of write latency in the output of Diskspd, as a figure for a changed log write. */

const LINE = /^\s*(min|max|\d{1,2}(?:st|nd|rd|th)|\d-nines)\s*\|[^|]*\|\s*(\d+(?:\.\d+)?)\s*\|/u;

/**
 * The figure of a Diskspd result, such as `p0=0.318ms,p50=0.49ms`, for `write:NAME:`; null when the text has no
 * percentiles of write latency. Diskspd prints them in ms under "%-ile | Read (ms) | Write (ms) | Total (ms)".
 */
export function diskspdFigure(text: string): string | null {
  const points = text.split(/\r?\n/u).flatMap((line): string[] => {
    const found = LINE.exec(line);
    return found === null ? [] : [`p${percentOf(found[1])}=${Number(found[2])}ms`];
  });
  return points.length > 1 ? points.join(",") : null;
}

function percentOf(word: string): number {
  if (word === "min") return 0;
  if (word === "max") return 100;
  if (!word.endsWith("-nines")) return Number.parseInt(word, 10);
  return Number((100 * (1 - 10 ** -Number(word[0]))).toFixed(7));
}
