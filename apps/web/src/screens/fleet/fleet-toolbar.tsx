import type { ReactNode } from "react";
import type { Fleet } from "@aglens/contract";
import { TextButton } from "../../frame/app-bar.tsx";
import { Segmented } from "../../ui/controls.tsx";
import { formatCount } from "../../ui/words.ts";
import { FLEET_DAYS, FLEET_PERCENTILES, type FleetAddress } from "./fleet-address.ts";
import { shownWords } from "./fleet-words.ts";
import styles from "./fleet.module.css";

interface Props {
  readonly address: FleetAddress;
  readonly fleet: Fleet;
  readonly onChange: (change: Partial<FleetAddress>) => void;
}

/** Which groups, how far back, and which percentile. */
export function FleetToolbar({ address, fleet, onChange }: Props): ReactNode {
  const { groups, a, b } = fleet;
  const others = groups.filter(({ name }) => name !== a?.group);
  return (
    <div className={styles.toolbar}>
      <label>
        <b>A</b>
        <select
          aria-label="Group A, filled"
          value={a?.group ?? ""}
          onChange={({ target }) => {
            const isOther = target.value === b?.group;
            onChange({ a: target.value, ...(isOther ? { b: null } : {}), at: null, view: null });
          }}
        >
          {a === null || groups.some(({ name }) => name === a.group) ? null : (
            <option value={a.group}>{a.group}</option>
          )}
          {groups.map(({ name, captures }) => (
            <option key={name} value={name}>
              {name} ({formatCount(captures)})
            </option>
          ))}
        </select>
      </label>
      {others.length === 0 ? null : (
        <label>
          <b>B</b>
          <select
            aria-label="Group B, outline"
            value={b?.group ?? ""}
            onChange={({ target }) => onChange({ b: target.value === "" ? null : target.value })}
          >
            <option value="">none</option>
            {others.map(({ name, captures }) => (
              <option key={name} value={name}>
                {name} ({formatCount(captures)})
              </option>
            ))}
          </select>
          {b === null ? null : <TextButton onClick={() => onChange({ b: null })}>Clear</TextButton>}
        </label>
      )}
      <select
        aria-label="Days"
        value={address.days}
        onChange={({ target }) => onChange({ days: Number(target.value), view: null })}
      >
        {FLEET_DAYS.map((days) => (
          <option key={days} value={days}>
            {days} days
          </option>
        ))}
      </select>
      <Segmented
        label="Percentile"
        value={address.percentile}
        options={FLEET_PERCENTILES.map((value) => ({ value, label: value }))}
        onChange={(percentile) => onChange({ percentile })}
      />
      {address.view === null ? null : (
        <TextButton onClick={() => onChange({ view: null })}>Show all {address.days} days</TextButton>
      )}
      <output>{shownWords(fleet)}</output>
    </div>
  );
}
