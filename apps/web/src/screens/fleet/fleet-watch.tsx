import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { Watch } from "@aglens/contract";
import { IS_ALONE } from "../../alone.ts";
import { midnightOf } from "../../charts/watch/days.ts";
import { WatchStrip } from "../../charts/watch/watch-strip.tsx";
import { useAnswer } from "../../data/use-answer.ts";
import { allWatches, episodesOf } from "../../data/watch-client.ts";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { navigate } from "../../state/navigate.ts";
import type { Zone } from "../../ui/zone.ts";
import frame from "../lane-view/lane-frame.module.css";
import { useStrip } from "../watch-strip/use-strip.ts";
import type { FleetView } from "./fleet-view.ts";
import styles from "./fleet.module.css";

interface Props {
  readonly view: FleetView;
  readonly zone: Zone;
  /** Width of the columns, px. */
  readonly width: number;
}

/** Polls of the filled group over the columns, where a watch polls it. */
export function FleetWatch({ view, zone, width }: Props): ReactNode {
  const { value } = useAnswer(IS_ALONE ? null : allWatches);
  const { group, groupName } = view.fleet.a;
  const watch = value?.watches.find(
    ({ definition }) => definition.group === groupName || definition.group === group,
  );
  return watch === undefined || width === 0 ? null : <Strip {...{ view, zone, width, watch }} />;
}

const HEIGHT = 56;

function Strip({ view, zone, width, watch }: Props & { readonly watch: Watch }): ReactNode {
  const { days, unit } = view.fleet;
  const [first, end] = view.range;
  const from = midnightOf(zone, days[first] ?? "");
  const to = midnightOf(zone, days[end - 1] ?? "", unit === "week" ? 7 : 1);
  const [now] = useState(() => Date.now());
  const { value: episodes } = useAnswer(episodesOf([watch]));
  const strip = useStrip({ watch, episodes: episodes?.get(watch.id), from, to, width, now });
  const path = `/watches/${encodeURIComponent(watch.id)}`;
  const { group, everySeconds } = watch.definition;
  return (
    <div className={`${frame.stack} ${styles.watch}`}>
      <Link href={path}>
        <b>{texts.commitDelay}</b>
        {strip.error ?? texts.polledWithTriggers}
      </Link>
      <WatchStrip
        picture={strip.picture}
        {...{ from, to, width, height: HEIGHT, zone, everySeconds }}
        name={group}
        onOpen={(_, mark) => navigate(mark === null ? path : `${path}?at=${encodeURIComponent(mark.id)}`)}
      />
    </div>
  );
}
