import type { ReactNode } from "react";
import type { ReplicaSummary } from "@aglens/contract";
import { isLocalId } from "../data/local-server.ts";
import { countFiles, useEvidence } from "../screens/capture-view/use-evidence.ts";
import { isAlone, useCapture } from "../screens/capture-view/capture-context.ts";
import { modesInTurn, primaryMoved, rolesOf } from "../screens/capture-view/phases.ts";
import { joinableBlocks } from "../screens/capture-view/coverage.ts";
import { isNamed } from "../screens/captures/files-text.ts";
import { Chip } from "../ui/controls.tsx";
import { formatCount } from "../ui/words.ts";
import { DatabaseFilter } from "./database-filter.tsx";
import { RoleSwitches } from "./role-switches.tsx";
import { ClockChip, ClockText } from "./strip-clocks.tsx";
import { StripTimes } from "./strip-times.tsx";
import { ClocksItem, detailsOf, ReplicaName, RoleItems } from "./strip-roles.tsx";
import styles from "../frame/strip.module.css";
import { happenedTexts } from "../messages/happened.ts";
import { pagesTexts as texts } from "../messages/pages.ts";

/**
 * From this number of replicas on, there is one chip per role instead of one each, so that the strip stays one line.
 */
const CROWD = 4;

interface Props {
  /** Shows the gaps of the files; null shows only their number. */
  readonly onDamage: (() => void) | null;
  readonly tags?: readonly string[];
  /** Opens the tags; null shows them. */
  readonly onTags?: (() => void) | null;
}

/**
 * Replicas of the capture, the mapping of their clocks to one, the number of blocks that could not be joined, and the
 * tags of the capture.
 */
export function ReplicaStrip({ onDamage, tags = [], onTags = null }: Props): ReactNode {
  const { source, summary } = useCapture();
  const isCrowd = summary.replicas.length >= CROWD && !primaryMoved(summary);
  return (
    <section
      className={styles.strip}
      data-crowded={summary.replicas.length > 2 || summary.databases.length > 1 || primaryMoved(summary)}
      data-one-line={isCrowd}
      aria-label={texts.replicas}
    >
      <DatabaseFilter />
      {isCrowd ? (
        <>
          <RoleItems />
          <ClocksItem />
        </>
      ) : (
        <ReplicaItems />
      )}
      <Joined />
      <EvidenceFiles />
      <Gaps onDamage={onDamage} />
      <Tags tags={tags} onTags={onTags} />
      {isLocalId(source.id) && <div className={styles.stays}>{texts.filesStay}</div>}
      <StripTimes />
    </section>
  );
}

/** A chip per replica; words about the clock of one secondary, one chip for several. */
function ReplicaItems(): ReactNode {
  const { summary, view } = useCapture();
  const hasOneClock = summary.clocks.length === 1;
  return (
    <>
      {summary.replicas.map((replica, index) => (
        <div
          key={`${index} ${replica.id}`}
          className={styles.item}
          title={[detailsOf(summary, index), ...replica.ids].join("\n")}
        >
          {isAlone(summary) ? null : (
            <RoleChip replica={replica} roles={rolesOf(summary, index)} modes={modesInTurn(summary, index)} />
          )}
          {isNamed(replica) ? hasOneClock ? <b>{replica.name}</b> : <ReplicaName index={index} /> : null}
        </div>
      ))}
      <RoleSwitches />
      {hasOneClock ? null : <ClocksItem />}
      {(hasOneClock ? summary.clocks : []).map((entry) => (
        <div key={`${entry.against} ${entry.secondary}`} className={styles.item}>
          <ClockText
            clock={entry}
            raw={view.clock === "raw"}
            name={summary.replicas[entry.secondary + 1]?.name ?? texts.secondaryLabel}
          />
          <ClockChip entry={entry} />
        </div>
      ))}
    </>
  );
}

/** Number of joined log blocks, where some blocks of the common time are in some files only. */
function Joined(): ReactNode {
  const { summary } = useCapture();
  const { onBoth } = summary.blocks;
  const all = joinableBlocks(summary);
  if (onBoth >= all) return null;
  return (
    <div className={styles.item}>
      <span>
        {texts.blocksJoined(
          formatCount(onBoth),
          formatCount(all),
          <span className={styles.wordy}> {texts.blocks}</span>,
        )}
      </span>
    </div>
  );
}

/** Number of evidence files with facts about this capture. */
function EvidenceFiles(): ReactNode {
  const evidence = useEvidence();
  if (evidence === null) return null;
  const count = countFiles(evidence);
  return (
    <div className={`${styles.item} ${styles.events}`}>
      <b>{formatCount(count)}</b> {happenedTexts.evidenceFiles(count)}
    </div>
  );
}

function Gaps({ onDamage }: { readonly onDamage: (() => void) | null }): ReactNode {
  const { summary } = useCapture();
  const gaps = summary.files.reduce((sum, file) => sum + file.gaps.length, 0);
  if (gaps === 0) return null;
  return (
    <div className={styles.item}>
      {onDamage === null ? (
        <span className={`${styles.chip} ${styles.caution}`}>{gapText(gaps)}</span>
      ) : (
        <button type="button" className={`${styles.chip} ${styles.caution}`} onClick={onDamage}>
          {gapText(gaps)}
        </button>
      )}
    </div>
  );
}

function Tags({ tags = [], onTags = null }: Pick<Props, "tags" | "onTags">): ReactNode {
  if (tags.length === 0) return null;
  const words = tags.join(", ");
  return (
    <div className={styles.item}>
      {onTags === null ? (
        <Chip>{words}</Chip>
      ) : (
        <button type="button" className={styles.chip} aria-label={texts.tags(words)} onClick={onTags}>
          {words}
        </button>
      )}
    </div>
  );
}

const gapText = (gaps: number): string => texts.gapsInTheFiles(gaps);

const MOST_ROLES = 2;

/** A server's role; both, one after the other, where it changed. */
function RoleChip({
  replica,
  roles,
  modes,
}: {
  readonly replica: ReplicaSummary;
  readonly roles: readonly ("primary" | "secondary")[];
  /** Its availability modes, where they changed. */
  readonly modes: string | null;
}): ReactNode {
  const [first, then] = roles;
  if (first === undefined || then === undefined) {
    return (
      <Chip place={replica.hasCapture ? replica.role : "none"} dashed={!replica.hasCapture}>
        {roleText(replica, modes)}
      </Chip>
    );
  }
  const rest = replica.hasCapture ? "" : texts.noFile;
  const words = first === "primary" ? "Primary" : "Secondary";
  if (roles.length > MOST_ROLES) {
    return (
      <Chip place={first} dashed={!replica.hasCapture}>
        {texts.phases(words, roles.length, rest)}
      </Chip>
    );
  }
  return (
    <span className={styles.roles}>
      <Chip place={first} dashed={!replica.hasCapture}>
        {words}
      </Chip>
      <Chip place={then} dashed={!replica.hasCapture}>
        {texts.thenPart(then, rest)}
      </Chip>
    </span>
  );
}

function roleText(replica: ReplicaSummary, modes: string | null): string {
  if (replica.role === "primary") return replica.hasCapture ? texts.primary : texts.primaryNoFile;
  if (!replica.hasCapture) return texts.secondaryNoFile;
  if (modes !== null) return `Secondary, ${modes}`;
  return replica.commitMode === "undetermined" ? texts.secondary : `Secondary, ${replica.commitMode}`;
}
