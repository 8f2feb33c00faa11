/** A part of a sentence; figures with a unit are strong. */
export interface Period {
  readonly text: string;
  /** Where it begins in the sentence. */
  readonly at: number;
  readonly strong: boolean;
}

const FIGURE = /[±]?\d[\d.,]*[\s\u00a0\u2009](?:µs|ms|s|min|%)(?![a-z])/gu;

/** Splits a sentence at its figures: `inside, 22.6 ms outside` contains one strong figure. */
export function withFigures(sentence: string): Period[] {
  const periods: Period[] = [];
  let at = 0;
  const put = (to: number, strong: boolean): void => {
    if (to > at) periods.push({ text: sentence.slice(at, to), at, strong });
    at = to;
  };
  for (const match of sentence.matchAll(FIGURE)) {
    put(match.index, false);
    put(match.index + match[0].length, true);
  }
  put(sentence.length, false);
  return periods;
}
