import type { ReactNode } from "react";
import { scopeText, completeText } from "../../capture-view/databases.ts";
import { BlockBar } from "../../../charts/block-bar.tsx";
import { colorName, PATH_COLORS, type ReplicaNames } from "../../../lanes/palette.ts";
import { reportTexts as texts } from "../../../messages/report.ts";
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
  const dots = whole.dots.cut ? texts.dotsTheLongestCommits : texts.dotsOneCommitEach;
  return (
    <>
      <Section
        id="latency"
        title={texts.commitLatencyOverThe(isPartOfCapture(data))}
        note={summary.commits.count === 0 ? texts.noCommitKnown : texts.lineP50Bands(dots)}
      >
        <SvgPicture id="latency-picture" drawing={latencyDrawing(data)} />
        <Episodes data={data} />
      </Section>
      <Section id="shares" title={texts.shareOfRemoteHardenByStage} note={texts.towardsPart(names.secondary)}>
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
      {texts.blocks(label, durationText(to - from), formatCount(blocks))}
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
  const total = scopeText(summary, choice) === null ? summary.blocks.total : whole.blocks;
  const words = completeText(summary, choice);
  const rows: [string, Means][] = [
    ...(episode === null
      ? []
      : ([
          [texts.blocksPart(episode.label, formatCount(episode.blocks)), episode.inside],
          [texts.otherwiseBlocks(formatCount(total - episode.blocks)), episode.outside],
        ] as [string, Means][])),
    [texts.blocksPart(capitalised(words), formatCount(total)), ofWhole],
  ];
  const scaleUs = Math.max(1, ...rows.map(([, means]) => pathMean(means) ?? 0));
  return (
    <Section
      id="harden"
      title={isTotalKnown(ofWhole) ? texts.whereRemoteHardenGoes : pathMeanName(ofWhole, names)}
      note={texts.meanPerBlockOne}
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
