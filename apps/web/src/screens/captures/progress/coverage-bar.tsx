import type { CSSProperties, ReactNode } from "react";
import type { ServerFiles } from "../capture-groups.ts";
import { type coverageOf, unixMs } from "../replica-files.ts";
import styles from "../capture-card.module.css";

/** The time that all files cover, and the part that every replica does. */
export type CoverageAxis = NonNullable<ReturnType<typeof coverageOf>>;

interface Covered {
  readonly key: string;
  readonly role: ServerFiles["role"];
  readonly from: number;
  readonly to: number;
}

/** One period per file, or one per role where the role changed. */
function coveredBy({ files, role, roleTimes }: ServerFiles): Covered[] {
  if (roleTimes.length > 0) return roleTimes.map((time) => ({ key: String(time.from), ...time }));
  return files.flatMap((file) => {
    const [from, to] = [unixMs(file.from), unixMs(file.to)];
    return from === null || to === null ? [] : [{ key: file.id, role, from, to }];
  });
}

/** Files of a server on the common axis: time that every server covers is solid, the rest pale. */
export function CoverageBar({ replica, axis }: { replica: ServerFiles; axis: CoverageAxis }): ReactNode {
  const span = Math.max(1, axis.to - axis.from);
  const place = (from: number, to: number): CSSProperties => ({
    left: `${(100 * (from - axis.from)) / span}%`,
    width: `${(100 * Math.max(0, to - from)) / span}%`,
  });
  return (
    <div className={styles.coverage} aria-hidden="true">
      {coveredBy(replica).map(({ key, role, from, to }) => {
        const solid =
          axis.common === null
            ? null
            : ([Math.max(from, axis.common[0]), Math.min(to, axis.common[1])] as const);
        return (
          <span key={key} data-role={role}>
            <i className={styles.pale} style={place(from, to)} />
            {solid === null || solid[0] >= solid[1] ? null : (
              <i className={styles.solid} style={place(solid[0], solid[1])} />
            )}
          </span>
        );
      })}
    </div>
  );
}
