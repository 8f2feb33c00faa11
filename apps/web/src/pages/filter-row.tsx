import { type ReactNode, useSyncExternalStore } from "react";
import { conditionText, type BlockCondition, type BlockFilter, type Hits } from "@aglens/contract";
import { conditionMeaning } from "../filter/filter-text.ts";
import { pagesTexts as texts } from "../messages/pages.ts";
import { filterNamesOf } from "../screens/capture-view/names.ts";
import { type CaptureTab, useCapture } from "../screens/capture-view/capture-context.ts";
import { summaryLanes, toggledLanes } from "../screens/capture-view/capture-lanes.ts";
import { namesOfSlots, phaseIndex } from "../screens/capture-view/phases.ts";
import { type HitList, useHits } from "../screens/capture-view/found-blocks.ts";
import { filterPreview, keptConditions } from "../state/filter-preview.ts";
import { Button, Kbd, Segmented, Swatch } from "../ui/controls.tsx";
import { formatCount } from "../ui/words.ts";
import styles from "./filter-row.module.css";

interface Props {
  readonly tab: CaptureTab;
  /** Opens the search box for another condition. */
  readonly onAdd: () => void;
}

/**
 * Row under the strip: the conditions on blocks, the number of matching blocks, steps from hit to hit, and a control
 * that shows all blocks again.
 */
export function FilterRow({ tab, onAdd }: Props): ReactNode {
  const { view } = useCapture();
  if (view.where !== null) return <ConditionsRow tab={tab} onAdd={onAdd} where={view.where} />;
  return tab === "timeline" && view.isolated.length > 0 ? <IsolatedRow /> : null;
}

/** Isolated lanes, and a control that shows all lanes equally again. */
function IsolatedRow(): ReactNode {
  const { summary, view, setView } = useCapture();
  const phase = phaseIndex(summary, view.phase);
  const lanes = summaryLanes(summary, false, phase).filter(({ key }) => view.isolated.includes(key));
  const names = namesOfSlots(summary, phase);
  if (lanes.length === 0) return null;
  return (
    <section className={styles.row} aria-label={texts.isolatedStages}>
      <span className="muted">{texts.isolated}</span>
      {lanes.map(({ key, label, color, replica, place }) => {
        const name =
          place === "network"
            ? label
            : `${names[place === "primary" ? 0 : replica] ?? ""} ${label.toLowerCase()}`;
        return (
          <span key={key} className={styles.chip}>
            <Swatch color={`var(${color})`} /> {name}
            <button
              type="button"
              aria-label={texts.amongAllStages(name)}
              onClick={() => setView({ isolated: toggledLanes(view.isolated, [key]) })}
            >
              ×
            </button>
          </span>
        );
      })}
      <span>{texts.otherLanesAreThin}</span>
      <span className="row gap-8 pushed">
        <span className="quiet">{texts.pressASecondLegend}</span>
        <Button kind="quiet" onClick={() => setView({ isolated: [] })}>
          {texts.allStages} <Kbd>Esc</Kbd>
        </Button>
      </span>
    </section>
  );
}

function ConditionsRow({ tab, onAdd, where }: Props & { readonly where: BlockFilter }): ReactNode {
  const { setView } = useCapture();
  const found = useHits();
  return (
    <section className={styles.row} aria-label={texts.filter}>
      <span className="muted">{texts.filter}</span>
      <Chips where={where} hits={found.hits.value} />
      <button type="button" className={styles.add} onClick={onAdd}>
        {texts.add}
      </button>
      <HitsInText hits={found.hits.value} />
      <span className="row gap-8 pushed">
        {tab === "timeline" ? <Steps found={found} /> : <OtherTabs tab={tab} />}
        <Button kind="quiet" onClick={() => setView({ where: null })}>
          {texts.clear} <Kbd>Esc</Kbd>
        </Button>
      </span>
    </section>
  );
}

/** A chip for each condition with its own count; chips of conditions that are still typed are dashed. */
function Chips({ where, hits }: { readonly where: BlockFilter; readonly hits: Hits | null }): ReactNode {
  const { summary, view, setView } = useCapture();
  const typed = useSyncExternalStore(filterPreview.subscribe, filterPreview.get);
  const names = filterNamesOf(summary, view.phase);
  const kept = keptConditions(where, typed);
  const without = (condition: BlockCondition): void => {
    const rest = kept.filter((each) => each !== condition);
    setView({ where: rest.length === 0 ? null : rest });
  };
  return where.map((condition, i) => {
    const meaning = conditionMeaning(condition, names);
    const isTyped = !kept.includes(condition);
    const blocks = hits?.conditions.length === where.length ? hits.conditions[i]?.blocks : undefined;
    return (
      <span key={`${conditionText(condition)} ${i}`} className={styles.chip} data-typed={isTyped}>
        {meaning}{" "}
        <span className="quiet">
          {texts.typing(blocks === undefined ? "" : formatCount(blocks), isTyped)}
        </span>
        {isTyped ? null : (
          <button type="button" aria-label={texts.remove(meaning)} onClick={() => without(condition)}>
            ×
          </button>
        )}
      </span>
    );
  });
}

/** "21 of 1,108 blocks  20 in view, 1 before". */
function HitsInText({ hits }: { readonly hits: Hits | null }): ReactNode {
  const { summary } = useCapture();
  if (hits === null) return <output className={styles.hits} />;
  const { blocks, before, after } = hits;
  const around = [
    texts.inView(formatCount(blocks - before - after)),
    before > 0 ? texts.before(formatCount(before)) : "",
    after > 0 ? texts.after(formatCount(after)) : "",
  ].filter((part) => part !== "");
  return (
    <output className={styles.hits}>
      <b>{texts.ofBlocks(formatCount(blocks), formatCount(summary.blocks.total))}</b>{" "}
      {blocks === 0 ? "" : around.join(", ")}
    </output>
  );
}

const ORDER_WORDS = {
  slowest: texts.slowestFirst,
  time: texts.inTime,
  commit: texts.longestCommitFirst,
} as const;

/** Steps from hit to hit in the order of the list, and the display of the other blocks. */
function Steps({ found }: { readonly found: HitList }): ReactNode {
  const { view, setView } = useCapture();
  const { position, step, fit, list } = found;
  const total = list.value?.total ?? 0;
  const listed = list.value?.rows.length ?? 0;
  const place =
    position < 0 ? `${formatCount(total)}, ` : `${formatCount(position + 1)} of ${formatCount(total)}, `;
  return (
    <>
      <Button
        aria-label={texts.previousHit}
        disabled={listed === 0 || position === 0}
        onClick={() => step(-1)}
      >
        ‹
      </Button>
      <span className={styles.place}>
        {place}
        {ORDER_WORDS[view.hitOrder]}
      </span>
      <Button
        aria-label={texts.nextHit}
        disabled={listed === 0 || position === listed - 1}
        onClick={() => step(1)}
      >
        ›
      </Button>
      <Segmented
        label={texts.blocksThatAreNo}
        value={view.others}
        options={[
          { value: "dim", label: texts.dimOthers },
          { value: "hide", label: texts.hitsOnly },
        ]}
        onChange={(others) => setView({ others }, "replace")}
      />
      <Button disabled={total === 0} onClick={fit}>
        {texts.fitHits} <Kbd>f</Kbd>
      </Button>
    </>
  );
}

/** Screens that show the hits, on a screen that does not show them alone. */
function OtherTabs({ tab }: { readonly tab: CaptureTab }): ReactNode {
  const { open } = useCapture();
  return (
    <>
      <Button onClick={() => open("timeline")}>{texts.timeline}</Button>
      {tab === "overview" ? null : <Button onClick={() => open("overview")}>{texts.slowestBlocks}</Button>}
    </>
  );
}
