import type { ReactNode } from "react";
import { useSearch } from "wouter";
import type { Fleet } from "@aglens/contract";
import { fleetOf } from "../../data/service-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { PageTitle } from "../../frame/page-title.tsx";
import { Message, Page } from "../../frame/page.tsx";
import { Problem } from "../../frame/problem.tsx";
import { type Times, useTimeChoice } from "../../frame/times-choice.tsx";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { navigate } from "../../state/navigate.ts";
import { Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { UPRIGHT_PHONE, useMedia } from "../../ui/use-media.ts";
import { localIso, type Zone } from "../../ui/zone.ts";
import { WatchesLink } from "../capture-view/watches-link.tsx";
import { zoneOf } from "../capture-view/zones.ts";
import frame from "../lane-view/lane-frame.module.css";
import { type FleetAddress, fleetQuery, readFleetAddress, writeFleetAddress } from "./fleet-address.ts";
import { nextOut } from "./fleet-figures.ts";
import { FleetLanes } from "./fleet-lanes.tsx";
import { FleetLegend } from "./fleet-legend.tsx";
import { FleetPane } from "./fleet-pane.tsx";
import { FleetTable } from "./fleet-table.tsx";
import { FleetToolbar } from "./fleet-toolbar.tsx";
import { comparableBefore, fleetView, type FleetView, type ShownFleet, stepTo } from "./fleet-view.ts";
import { rangeText } from "./fleet-text.ts";
import styles from "./fleet.module.css";

type OnChange = (change: Partial<FleetAddress>) => void;

/** Captures of one or two groups over weeks: their changes, and the time of each. */
export function FleetScreen(): ReactNode {
  const address = readFleetAddress(useSearch());
  const onChange: OnChange = (change) => {
    const next = writeFleetAddress({ ...address, ...change });
    // A selection adds no entry to the browser's history.
    navigate(next === "" ? "/fleet" : `/fleet?${next}`, {
      replace: ["at", "time"].includes(Object.keys(change).join()),
    });
  };
  const times = useTimeChoice(CHOICES, address.time, (time) => onChange({ time }));
  const zone = zoneOf(times.time, NO_SERVERS);
  const { value, error, retry } = useAnswer(fleetOf(fleetQuery(address, zone)));
  useKeys({ timeFormat: times.next });
  if (value === null || !hasCaptures(value)) {
    return (
      <Page title={texts.fleet} what={<PageTitle name="Fleet" />} isBusy={value === null && error === null}>
        {value === null && error === null ? (
          <output className="sr-only">{texts.loading}</output>
        ) : (
          <Message
            {...(value === null ? { title: texts.fleetCannotBeShown, detail: error, onRetry: retry } : EMPTY)}
          />
        )}
      </Page>
    );
  }
  const { days, groups, a, b } = value;
  const shown = b === null ? 1 : 2;
  const newest = a.columns.at(-1);
  const last = newest === undefined ? (days.at(-1) ?? "") : localIso(zone, newest.from).slice(0, 10);
  return (
    <Page
      title={texts.fleet}
      what={<PageTitle name="Fleet" note={texts.ofGroups(shown, groups.length, rangeText(days, last))} />}
      actions={
        <>
          <WatchesLink />
          <TextLink href="/captures">{texts.allCaptures}</TextLink>
        </>
      }
      status={<KeyText unit={value.unit} />}
      statusRight={texts.isOneCapturePercentiles(value.unit)}
    >
      <Problem sentence={error} onRetry={retry} />
      <ShownScreen fleet={value} address={address} times={times} zone={zone} onChange={onChange} />
    </Page>
  );
}

/** Figures of captures have no offset of a server. */
const CHOICES = [
  { value: "utc", label: "UTC" },
  { value: "browser", label: texts.thisBrowsersClock },
] as const;
const NO_SERVERS = { replicas: [] };

const EMPTY = {
  title: texts.noCaptureHasBeen,
  detail: texts.capturesOfOneAvailability,
};

const hasCaptures = (fleet: Fleet): fleet is ShownFleet => fleet.a !== null && fleet.groups.length > 0;

interface Props {
  readonly fleet: ShownFleet;
  readonly address: FleetAddress;
  readonly times: Times;
  readonly zone: Zone;
  readonly onChange: OnChange;
}

function ShownScreen({ fleet, address, times, zone, onChange }: Props): ReactNode {
  const view = fleetView(fleet, address, zone);
  const { percentile } = address;
  const isPhone = useMedia(UPRIGHT_PHONE);
  const dayOf = (column: number): string => fleet.days[column] ?? "";
  const actions = useFleetKeys(view, onChange);
  return (
    <div className={styles.screen}>
      <h1 className="sr-only">{texts.fleet}</h1>
      <FleetToolbar address={address} fleet={fleet} times={times} onChange={onChange} />
      <div className={`${frame.page} ${styles.page}`}>
        <div className={frame.main}>
          <FleetLanes
            view={view}
            percentile={percentile}
            zone={zone}
            isBrief={isPhone}
            onSelect={(column) => onChange({ at: dayOf(column) })}
            onZoom={(from, to) => onChange({ view: [dayOf(from), dayOf(to)] })}
          />
          <FleetTable view={view} percentile={percentile} />
          <FleetLegend fleet={fleet} percentile={percentile} />
        </div>
        <FleetPane view={view} percentile={percentile} days={address.days} {...actions} />
      </div>
    </div>
  );
}

/** Actions of keys and buttons on the selected capture. */
function useFleetKeys({ fleet, selected }: FleetView, onChange: OnChange) {
  const select = (to: { readonly column: number } | null): void => {
    if (to !== null) onChange({ at: fleet.days[to.column] ?? null });
  };
  const onOpen = (): void => {
    if (selected?.isThere === true) navigate(`/captures/${selected.id}`);
  };
  const before = selected === null ? null : comparableBefore(fleet, selected);
  const onCompare = (): void => {
    if (selected !== null && before !== null)
      navigate(`/captures/${before.id}/compare?versus=${selected.id}`);
  };
  useKeys({
    nextOut: () => select(nextOut(fleet.a, selected?.column ?? null, 1)),
    previousOut: () => select(nextOut(fleet.a, selected?.column ?? null, -1)),
    nextNight: () => select(selected === null ? null : stepTo(fleet, selected, 1)),
    previousNight: () => select(selected === null ? null : stepTo(fleet, selected, -1)),
    openNight: onOpen,
    compareView: onCompare,
    back: () => onChange({ view: null }),
  });
  return { onOpen, onCompare };
}

function KeyText({ unit }: { readonly unit: Fleet["unit"] }): ReactNode {
  return (
    <>
      <span>{texts.oneColumnIsOne(unit)}</span>
      <span>
        <Kbd>n</Kbd> <Kbd>p</Kbd> {texts.nextPreviousThatStands}
      </span>
      <span>
        <Kbd>Enter</Kbd> {texts.open}
      </span>
      <span>
        <Kbd>c</Kbd> {texts.compareWithTheBefore(unit)}
      </span>
    </>
  );
}
