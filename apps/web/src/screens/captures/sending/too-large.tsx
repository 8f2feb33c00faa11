import { type ReactNode, useId, useMemo, useState } from "react";
import { filetimeText } from "xel-parser/format";
import { IS_ALONE } from "../../../alone.ts";
import { neededMemory } from "../../../data/tab-memory.ts";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import { Button } from "../../../ui/controls.tsx";
import { formatBytes } from "../../../ui/words.ts";
import type { TooLargeFiles } from "./draft-types.ts";
import { useDraft } from "./draft.ts";
import { type Part, partsThatFit, type SizedFile, type FilePeriod } from "./parts-that-fit.ts";
import styles from "./too-large.module.css";

type Chosen = "period" | "nth" | "all";

/** Notice for more event files than fit in the memory of a tab, before anything is read, with the parts that fit. */
export function TooLarge(): ReactNode {
  const { tooLarge, takeTooLarge } = useDraft();
  return tooLarge === null ? null : <Parts key={tooLarge.bytes} of={tooLarge} take={takeTooLarge} />;
}

interface PartsProps {
  readonly of: TooLargeFiles;
  readonly take: (files: readonly SizedFile[]) => Promise<void>;
}

function Parts({ of: { files, bytes, mostBytes }, take }: PartsProps): ReactNode {
  // With thousands of files this takes a while, so it runs once and not at every choice.
  const { periods, everyNth } = useMemo(() => partsThatFit(files, mostBytes), [files, mostBytes]);
  const [interval, setInterval] = useState(longestLast(periods));
  const hasPart = interval !== null || everyNth !== null;
  const [chosen, choose] = useState<Chosen>(interval !== null ? "period" : everyNth !== null ? "nth" : "all");
  const parts: Record<Chosen, Part | null> = { period: interval, nth: everyNth, all: { files, bytes } };
  return (
    <section className={styles.large} aria-labelledby="too-large">
      <h2 id="too-large">{texts.moreThanTheMemory}</h2>
      <p role="alert">
        {texts.ofEventFilesNeed({
          bytes: formatBytes(bytes),
          neededMemory: formatBytes(neededMemory(bytes)),
          otherNeededMemory: formatBytes(neededMemory(mostBytes)),
          hasPart,
          noPart: texts.noPartOfThem,
        })}
      </p>
      <fieldset>
        <legend className="sr-only">{texts.timeToRead}</legend>
        {interval === null ? null : (
          <Choice of="period" part={interval} all={files.length} {...{ chosen, choose }}>
            {texts.period}
            <Times periods={periods} value={interval} onChange={setInterval} />
          </Choice>
        )}
        {everyNth === null ? null : (
          <Choice of="nth" part={everyNth} all={files.length} {...{ chosen, choose }}>
            {texts.everyRolloverFileOver(ordinal(everyNth.n))}
          </Choice>
        )}
        <Choice of="all" part={{ files, bytes }} all={files.length} {...{ chosen, choose }}>
          {texts.all}
        </Choice>
      </fieldset>
      <div className="row wrap gap-12 space-12">
        <Button kind="primary" onClick={() => void take((parts[chosen] ?? { files }).files)}>
          {texts.readTheseFiles}
        </Button>
        <Button kind="quiet" onClick={() => void take([])}>
          {texts.readNone}
        </Button>
        {IS_ALONE ? null : <span className="quiet text">{texts.serverReadsFiles}</span>}
      </div>
    </section>
  );
}

/** The period at the end that fits, because the user most likely wants the end. */
const longestLast = (periods: readonly FilePeriod[]): FilePeriod | null =>
  periods.find(({ to }) => to === null) ?? periods.at(-1) ?? null;

interface ChoiceProps {
  readonly of: Chosen;
  readonly chosen: Chosen;
  readonly choose: (chosen: Chosen) => void;
  readonly part: Part;
  /** How many files there are. */
  readonly all: number;
  readonly children: ReactNode;
}

function Choice({ of, chosen, choose, part, all, children }: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.choice}>
      <input type="radio" name="too-large" id={id} checked={chosen === of} onChange={() => choose(of)} />
      <label htmlFor={id}>{children}</label>
      <span className="num">{texts.ofFiles(part.files.length, all, formatBytes(part.bytes))}</span>
    </div>
  );
}

interface TimesProps {
  readonly periods: readonly FilePeriod[];
  readonly value: FilePeriod;
  readonly onChange: (interval: FilePeriod) => void;
}

/** Choice of the start; the end follows from what fits. */
function Times({ periods, value, onChange }: TimesProps): ReactNode {
  const index = periods.findIndex(({ from }) => from === value.from);
  return (
    <span className={styles.times}>
      {texts.from}{" "}
      <select
        aria-label={texts.fromByTheTimes}
        value={index}
        onChange={(event) => {
          const next = periods[Number(event.target.value)];
          if (next !== undefined) onChange(next);
        }}
      >
        {periods.map(({ from }, i) => (
          <option key={String(from)} value={i}>
            {minuteText(from)}
          </option>
        ))}
      </select>{" "}
      {value.to === null ? texts.toTheEnd : texts.to(minuteText(value.to))}
    </span>
  );
}

/** Time from the names of files, to the minute. */
const minuteText = (ticks: bigint): string => filetimeText(ticks).slice(0, 16).replace("T", " ");

const ordinal = (n: number): string =>
  `${n}${n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th")}`;
