import type { ReactNode } from "react";
import type { AccessState } from "@aglens/contract";
import { Page } from "../../frame/page.tsx";
import { accessTexts as texts } from "../../messages/access.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { SignInWays } from "./sign-in.tsx";
import styles from "./sign-in.module.css";

interface Props {
  readonly state: AccessState;
  readonly onSignedIn: (state: AccessState) => void;
}

/**
 * The sign-in page replaces the requested page, and doesn't name it before the user is signed in. The address stays,
 * and opens after that.
 */
export function SignInPage({ state, onSignedIn }: Props): ReactNode {
  return (
    <Page title={texts.signIn} statusRight={texts.signingInIsWritten}>
      <div className={styles.page}>
        <div>
          <h1>{texts.signInToAg}</h1>
          <p className={styles.lead}>{texts.afterSigning(window.location.hostname)}</p>
          <SignInWays state={state} onSignedIn={onSignedIn} />
        </div>
        <aside className={styles.side} aria-label={texts.rolesAndLinks}>
          <h2>{texts.rightsOfEachRole}</h2>
          <RoleTable />
          <h2>{texts.linkYouWereSent}</h2>
          <p>{texts.opensHereWithout}</p>
          <h2>{texts.whereTheFilesAre}</h2>
          <p>{whereText(state.keepDays)}</p>
        </aside>
      </div>
    </Page>
  );
}

function whereText(keepDays: number | null): string {
  return keepDays === null ? texts.onThisServerUntil : texts.onThisServerKept(keepDays);
}

const RIGHTS: readonly { readonly what: string; readonly from: number }[] = [
  { what: texts.openOwnAndShared, from: 0 },
  { what: texts.uploadAndAnalyze, from: 1 },
  { what: texts.attachLive, from: 1 },
  { what: texts.shareDeleteOwn, from: 1 },
  { what: texts.seeAllAuditLog, from: 2 },
];
const ROLE_NAMES = ["Viewer", "Contributor", "Admin"];

function RoleTable(): ReactNode {
  return (
    <FigureTable<(typeof RIGHTS)[number]>
      className={styles.roles}
      rows={RIGHTS}
      rowKey={({ what }) => what}
      columns={[
        { id: "Right", isHeadHidden: true, cell: ({ what }) => what },
        ...ROLE_NAMES.map((id, index) => ({
          id,
          cell: ({ from }: (typeof RIGHTS)[number]) => (
            <>
              <span aria-hidden="true">{index >= from ? "✓" : "–"}</span>
              <span className="sr-only">{index >= from ? texts.yes : texts.no}</span>
            </>
          ),
        })),
      ]}
    />
  );
}
