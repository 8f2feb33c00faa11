import type { ReactNode } from "react";
import type { Fleet } from "@aglens/contract";
import { TextButton } from "../../frame/app-bar.tsx";
import { TimesChoice, type Times } from "../../frame/times-choice.tsx";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { Segmented } from "../../ui/controls.tsx";
import { FLEET_DAYS, FLEET_PERCENTILES, type FleetAddress } from "./fleet-address.ts";
import { FilledSide, OutlinedSide, TagChoice } from "./fleet-sides.tsx";
import { shownText } from "./fleet-text.ts";
import styles from "./fleet.module.css";

interface Props {
  readonly address: FleetAddress;
  readonly fleet: Fleet;
  readonly times: Times;
  readonly onChange: (change: Partial<FleetAddress>) => void;
}

/** Choices of groups, replicas and captures, of the period, and of the percentile. */
export function FleetToolbar({ address, fleet, times, onChange }: Props): ReactNode {
  const side = { address, fleet, onChange };
  return (
    <div className={styles.toolbar}>
      <FilledSide {...side} />
      <OutlinedSide {...side} />
      <TagChoice {...side} />
      <select
        aria-label={texts.days}
        value={address.days}
        onChange={({ target }) => onChange({ days: Number(target.value), view: null })}
      >
        {FLEET_DAYS.map((days) => (
          <option key={days} value={days}>
            {texts.daysPart(days)}
          </option>
        ))}
      </select>
      <Segmented
        label={texts.percentile}
        value={address.percentile}
        options={FLEET_PERCENTILES.map((value) => ({ value, label: value }))}
        onChange={(percentile) => onChange({ percentile })}
      />
      {address.view === null ? null : (
        <TextButton onClick={() => onChange({ view: null })}>{texts.showAllDays(address.days)}</TextButton>
      )}
      <output>{shownText(fleet)}</output>
      <TimesChoice times={times} />
    </div>
  );
}
