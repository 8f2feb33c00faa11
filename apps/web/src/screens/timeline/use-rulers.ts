import { useState } from "react";
import { MOST_RULERS, type Ruler, type RulerEnd } from "@aglens/contract";
import { useCapture } from "../capture-view/capture-context.ts";

/** A ruler that is being measured: its first end, null until that is placed. */
export interface Measuring {
  readonly first: RulerEnd | null;
}

export interface Rulers {
  readonly list: readonly Ruler[];
  /** null while the user does not measure. */
  readonly measuring: Measuring | null;
  /** Begins to measure, from an end or from the place that the user chooses next. */
  readonly begin: (first?: RulerEnd) => void;
  /** Places the first end, then the second one, which completes the ruler. */
  readonly place: (end: RulerEnd) => void;
  /** Ends measuring, else removes the newest ruler; false where there is neither. */
  readonly back: () => boolean;
  readonly remove: (index: number) => void;
}

/** The rulers of the address, and the one that is being measured. */
export function useRulers(): Rulers {
  const { view, setView } = useCapture();
  const { rulers } = view;
  const [measuring, setMeasuring] = useState<Measuring | null>(null);
  const remove = (index: number): void =>
    setView({ rulers: rulers.filter((_, i) => i !== index) }, "replace");
  return {
    list: rulers,
    measuring,
    begin: (first) => setMeasuring({ first: first ?? null }),
    place: (end) => {
      const first = measuring?.first ?? null;
      setMeasuring(first === null ? { first: end } : null);
      if (first === null) return;
      // When there are too many rulers, the oldest one is removed.
      setView({ rulers: [...rulers, [first, end] as const].slice(-MOST_RULERS) }, "replace");
    },
    back: () => {
      if (measuring !== null) setMeasuring(null);
      else if (rulers.length > 0) remove(rulers.length - 1);
      else return false;
      return true;
    },
    remove,
  };
}
