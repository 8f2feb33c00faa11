import type { ReactNode } from "react";
import { scopeWords, wholeWords } from "../../capture-view/databases.ts";
import { BlockBar } from "../../../charts/block-bar.tsx";
import { colorName, PATH_COLORS, type ReplicaNames } from "../../../lanes/palette.ts";
import { capitalised, durationText, formatCount } from "../../../ui/words.ts";
import { mainEpisode } from "../../capture-view/figures.ts";
import { isTotalKnown, type Means, meansOf, pathMean, pathMeanName } from "../../capture-view/stage-means.ts";
import { isPartOfCapture, latencyDrawing, minimapDrawing, sharesDrawing } from "./overview-drawings.ts";
import type { ReportData } from "./report-data.ts";
import { Section } from "./section.tsx";
import { SvgPicture } from "./svg-picture.tsx";

/** Latency over time, shares of remote harden, and the stages of an average block. */
export function OverviewPart({ data }: { readonly data: ReportData }): ReactNode {
  const { names, whole, summary } = data;
  const dots = whole.dots.cut ? "dots: the longest commits" : "dots: one commit each";
  return (
    <>
      <Section
        id="latency"
        title={`Commit latency over the ${isPartOfCapture(data) ? "common time" : "capture"}`}
        note={
          summary.commits.count === 0
            ? "no commit known"
            : `${dots}; line p50, bands to p95 and p99; log scale`
        }
      >
        <SvgPicture id="latency-picture" drawing={latencyDrawing(data)} />
        <Episodes data={data} />
      </Section>
      <Section id="shares" title="Share of remote harden by stage" note={`towards ${names.secondary}`}>
        <SvgPicture id="shares-picture" drawing={sharesDrawing(data)} />
        <SvgPicture id="minimap-picture" drawing={minimapDrawing(data)} />
        <Legend names={names} />
      </Section>
      <MeanHarden data={data} />
    </>
  );
}

function Episodes({ data }: { readonly data: ReportData }): ReactNode {
  const { episodes } = data.whole.ground;
  return episodes.map(({ label, from, to, blocks }) => (
    <p key={`${label}${from}`} className="bracket">
      {label}, {durationText(to - from)}, {formatCount(blocks)} blocks
    </p>
  ));
}

/** Meaning of the colors. */
export function Legend({ names }: { readonly names: ReplicaNames }): ReactNode {
  return (
    <ul className="legend">
      {PATH_COLORS.map((token) => (
        <li key={token}>
          <i style={{ background: `var(${token})` }} />
          {colorName(token, names)}
        </li>
      ))}
    </ul>
  );
}

function MeanHarden({ data }: { readonly data: ReportData }): ReactNode {
  const { summary, choice, names, whole } = data;
  const ofWhole = meansOf(summary.stages[choice.secondary]);
  const episode = mainEpisode(summary.verdict, whole.ground.episodes);
  // The summary only counts the blocks of the complete capture.
  const total = scopeWords(summary, choice) === null ? summary.blocks.total : whole.blocks;
  const words = wholeWords(summary, choice);
  const rows: [string, Means][] = [
    ...(episode === null
      ? []
      : ([
          [`${episode.label}, ${formatCount(episode.blocks)} blocks`, episode.inside],
          [`Otherwise, ${formatCount(total - episode.blocks)} blocks`, episode.outside],
        ] as [string, Means][])),
    [`${capitalised(words)}, ${formatCount(total)} blocks`, ofWhole],
  ];
  const scaleUs = Math.max(1, ...rows.map(([, means]) => pathMean(means) ?? 0));
  return (
    <Section
      id="harden"
      title={isTotalKnown(ofWhole) ? "Where remote harden goes" : pathMeanName(ofWhole, names)}
      note="mean per block, one scale"
    >
      <div className="bars">
        {rows.map(([label, means]) => (
          <div key={label}>
            <span>{label}</span>
            <BlockBar stages={{ ...means, localFlush: null }} scaleUs={scaleUs} label={label} />
            <b>{durationText(pathMean(means))}</b>
          </div>
        ))}
      </div>
    </Section>
  );
}
